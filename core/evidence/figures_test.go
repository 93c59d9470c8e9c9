package evidence

import (
	"fmt"
	"strings"
	"testing"
)

const pools = `{"pools":[
	{"name":"p1","cluster":"A","used_tb":266.1,"total_tb":435.5,"used_pct":61.1},
	{"name":"p2","cluster":"B","used_tb":629.4,"total_tb":1090.8,"used_pct":57.7},
	{"name":"p3","cluster":"A","used_tb":10,"total_tb":20,"used_pct":50}]}`

func TestExplain(t *testing.T) {
	for _, tt := range []struct {
		name, result, value, want string // want is derivation: from, empty for nothing
	}{
		{"rounded", pools, "61", "rounded: 61.1 at pools[0].used_pct"},
		{"rounded up", pools, "58", "rounded: 57.7 at pools[1].used_pct"},
		{"not at its precision", pools, "61.0", ""},
		{"half is in the window", `{"v":2.5}`, "2", "rounded: 2.5 at v"},
		{"past half is not", `{"v":2.51}`, "2", ""},
		{"negative", `{"d":-5.04}`, "-5", "rounded: -5.04 at d"},
		{"a unit of 1000", `{"b":1526300}`, "1.53", "unit-scale: 1526300 at b ÷ 1000^2"},
		{"a unit of 1024", `{"b":98304}`, "96", "unit-scale: 98304 at b ÷ 1024^1"},
		{"too small to scale", `{"b":500}`, "0.5", ""},
		{"complement", pools, "38.9", "complement: 100 − 61.1 at pools[0].used_pct"},
		{"no complement of what is no percentage", `{"v":61.1}`, "38.9", ""},
		{"sum", pools, "1546.3", "column-sum: sum of pools[].total_tb"},
		{"ratio", pools, "58.6", "column-ratio: 100 × pools[].used_tb ÷ pools[].total_tb"},
		{"difference", pools, "640.8", "column-difference: pools[].total_tb − pools[].used_tb"},
		{"of a group", pools, "60.6", "column-ratio: 100 × pools[cluster=A].used_tb ÷ pools[cluster=A].total_tb"},
		{"sum in another unit", `[{"gb":1800},{"gb":2400}]`, "4.2", "unit-scale: sum of result[].gb ÷ 1000^1"},
		{"no product, no average", pools, "302", ""},
		{"in text", `pool p1: 61.1 used`, "61", "rounded: 61.1 at "},
		{"in a string", `{"a":{"b":"61.1 TB"}}`, "61", "rounded: 61.1 at a.b"},
		{"in text behind JSON", "{\"a\":1}\n[77.2 seen]", "77", "rounded: 77.2 at "},
		{"in the second of two values", "{\"a\":1}\n{\"a\":77.2}", "77", "rounded: 77.2 at [1].a"},
		{"values are rows", "{\"v_gb\":1.25}\n{\"v_gb\":2.5}", "3.75", "column-sum: sum of result[].v_gb"},
		{"in cut JSON", `{"a":77.2,"b`, "77", "rounded: 77.2 at [1]"},
		{"in a capped result's head", `{"truncated":true,"reason":"r","head":"[77.2,1"}`, "77", "rounded: 77.2 at [1][0]"},
		{"not a number", pools, "fc1/3", ""},
		{"shown with twelve digits", `{"a":0.30000000000000004}`, "0.3", "rounded: 0.3 at a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if d, ok := NewFigureBasis([][]byte{[]byte(tt.result)}).Explain(tt.value); ok {
				got = d.Derivation + ": " + d.From
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestFigureBasisIsBounded(t *testing.T) {
	numbers := func(n int) string { return "[" + strings.Repeat("7.5,", n-1) + "7.5]" }
	fields := func(n int) string {
		var row []string
		for i := range n {
			row = append(row, fmt.Sprintf(`"f%d":%d`, i, i+1))
		}
		return fmt.Sprintf("[{%s},{%s}]", strings.Join(row, ","), strings.Join(row, ","))
	}
	for _, tt := range []struct {
		name, result     string
		carried, derived int
		truncated        bool
	}{
		{"as many numbers as are kept", numbers(maxCarried), maxCarried, 0, false},
		{"one more", numbers(maxCarried + 1), maxCarried, 0, true},
		{"as many fields as are read", fields(maxFields), 2 * maxFields, maxFields + 2*maxFields*(maxFields-1), false},
		{"one more", fields(maxFields + 1), 2 * (maxFields + 1), maxFields + 2*maxFields*(maxFields-1), false},
		{"more rows than are read", "[" + strings.Repeat(`{"v":1},`, maxListRows) + `{"v":1}]`, maxListRows + 1, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := NewFigureBasis([][]byte{[]byte(tt.result)})
			if len(b.Carried) != tt.carried || len(b.Derived) != tt.derived || b.Truncated != tt.truncated {
				t.Errorf("%d carried, %d derived, truncated %v; want %d, %d, %v",
					len(b.Carried), len(b.Derived), b.Truncated, tt.carried, tt.derived, tt.truncated)
			}
		})
	}
}

// What is explained as rounded is a carried number within half a unit of the last place, whatever the result.
func FuzzExplain(f *testing.F) {
	for _, result := range append(results, pools) {
		f.Add([]byte(result), "61")
	}
	f.Fuzz(func(t *testing.T, result []byte, value string) {
		b := NewFigureBasis([][]byte{result})
		if len(b.Carried) > maxCarried || len(b.Derived) > maxDerived {
			t.Fatalf("%d carried, %d derived", len(b.Carried), len(b.Derived))
		}
		d, ok := b.Explain(value)
		if !ok {
			return
		}
		if _, number := isNumber([]byte(value)); !number {
			t.Fatalf("%q is no number and derives from %v", value, d)
		}
		for _, c := range b.Carried {
			if d.Derivation == "rounded" && d.From == c.shown() {
				return
			}
		}
		if d.Derivation == "rounded" {
			t.Fatalf("%v names no carried number", d)
		}
	})
}
