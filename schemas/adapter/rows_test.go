package adapter

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// rowsOf writes down what a record gives: line:document:data of every row, and the faults in their places.
func rowsOf(t *testing.T, in io.Reader) []string {
	t.Helper()
	rows := NewRows(in)
	var got []string
	for range 100 {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			if _, ok := errors.AsType[RowError](err); !ok {
				return append(got, "ended: "+err.Error())
			}
			got = append(got, err.Error())
			continue
		}
		got = append(got, fmt.Sprintf("%d:%d:%s", row.Line, row.Document, row.Data))
	}
	t.Fatal("the record does not end")
	return nil
}

func TestRows(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"blank lines", "\n \n\n", nil},
		{"lines", "{\"a\":1}\n\n {\"a\":2} \r\n{\"a\":3}", []string{`1:1:{"a":1}`, `3:2:{"a":2}`, `4:3:{"a":3}`}},
		{"blank first", "\n\n{\"a\":1}\n", []string{`3:1:{"a":1}`}},
		{"a byte order mark", "\ufeff{\"a\":1}\n", []string{`1:1:{"a":1}`}},
		{"a bad line", "{\"a\":1}\n{\"a\":\n{\"a\":2}", []string{`1:1:{"a":1}`, "line 2: not JSON: the text ends too early", `3:3:{"a":2}`}},
		{"a bad first line", "{\"a\" 1}\n{\"a\":2}", []string{"line 1: not JSON (byte 5)", `2:2:{"a":2}`}},
		{"spread over lines", "{\n \"a\": [\n1]}\n\n{\"b\":\n2}\n", []string{"1:1:{\n \"a\": [\n1]}", "5:2:{\"b\":\n2}"}},
		{"an array", "[\n{\"a\":1},\n\n{\"a\":2}\n]\n", []string{`2:1:{"a":1}`, `4:1:{"a":2}`}},
		{"an array on one line", `[{"a":1},{"a":2}]`, []string{`1:1:{"a":1}`, `1:1:{"a":2}`}},
		{"arrays, one a line", "[1,2]\n[3]\n", []string{"1:1:1", "1:1:2", "2:2:3"}},
		{"an array that breaks off", "[{\"a\":1},\n{\"a\"", []string{`1:1:{"a":1}`, "line 2: not JSON: the text ends too early"}},
		{"an array that breaks", "[{\"a\":1},\n\n{]", []string{`1:1:{"a":1}`, "line 3: not JSON, and the rest is not read"}},
		{"digits are kept", "[123456789012345678901234567890.10]", []string{"1:1:123456789012345678901234567890.10"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := rowsOf(t, strings.NewReader(tt.in)); strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// A row that is too long is an error with its line, however it is written, and is not held. The line after one is read.
func TestRowsTooLong(t *testing.T) {
	for _, tt := range []struct {
		name, start string
		want        string
	}{
		{"a line", "{}\n{\"a\":\"", "1:1:{}\nline 2: the line is longer than 67108864 bytes\n3:2:{}"},
		{"the first line", "\n{\"a\":\"", "line 2: the line is longer than 67108864 bytes\n3:1:{}"},
		{"an array", "[{},\n\"", "1:1:{}\nline 2: the value is longer than 67108864 bytes"},
		{"an object", "{\n\"", "line 1: the value is longer than 67108864 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			long := io.LimitReader(endless{}, MaxRow+1<<20)
			got := rowsOf(t, io.MultiReader(strings.NewReader(tt.start), long, strings.NewReader("\n{}\n")))
			if said := strings.Join(got, "\n"); said != tt.want {
				t.Errorf("got %.300q", said)
			}
		})
	}
}

var letters = strings.Repeat("a", 64<<10)

// endless is a text that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		n += copy(p[n:], letters)
	}
	return len(p), nil
}
