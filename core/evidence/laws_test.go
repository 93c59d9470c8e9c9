package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// results are served results of every kind that a reading tells apart.
var results = []string{
	"", "   ", "id=4417 port fc1/3, 41,200 IOPS", "[INFO] id:4417 up", "4417", `"text"`,
	`{"id":4417,"up":true,"note":null,"name":"Disk 7 full"}`, `[1,2.50,1e21,1e400,-0,12345678901234567890]`,
	`{"a":{"b":["x",{"21:00:00:24":"0xEF0101 0xAB"}]},"A":"again"}`, `{"a":"gone-1","a":"kept-2"}`, `{"id":1}` + "\n" + `{"id":2}` + "\n\n[step 2 of 3]",
	`{"rows":[{"id":4417,"m":"disk full on host-7 and mo`, `{"a":1} [3`, `{"a":"\u0130 \ud800 naïve 日本4200","k\n":"l\tine"}`,
	`{"truncated":true,"reason":"r","head":"{\"a\":61.1,\"m\":\"2031-04-05 a"}`,
	`{"truncated":true,"reason":"r","head":"row 4417, row 5512"}`,
	`{"af_absent":true,"looked_for":"inv-9981","checked":[{"what":"sw-3310","short":"s"}],"note":"n"}`,
	`{"af_coverage":{"checked":[{"what":"a","kind":"scope"}]},"result":{"v":53.2}}`,
	`{"af_coverage":{"checked":[1]},"result":{"af_absent":true,"looked_for":"q","checked":[2]}}`,
	"{\"a\":\"\xff\xfe\"}", "\u2028[true]\ufeff", strings.Repeat("[", 1001) + strings.Repeat("]", 1001),
}

// addSeeds gives a fuzz target the results, and every pair of them when it takes two.
func addSeeds(f *testing.F, two bool) {
	for i, a := range results {
		if !two {
			f.Add([]byte(a))
			continue
		}
		f.Add([]byte(a), []byte(results[(i*7+3)%len(results)]))
	}
}

// everyRow lets every row be read, each in a turn of its own: row 0 in turn 1.
func everyRow(ix *Index) View {
	v := View{Current: int32(ix.Rows())}
	for row := range ix.Rows() {
		v.Turns = append(v.Turns, int32(row+1))
		v.Calls = append(v.Calls, "call-"+strconv.Itoa(row))
	}
	return v
}

// onlyRow lets one row be read.
func onlyRow(ix *Index, row int) View {
	v := everyRow(ix)
	for i := range v.Turns {
		if i != row {
			v.Turns[i] = -1
		}
	}
	return v
}

func indexOf(contents ...[]byte) *Index {
	ix := NewIndex()
	for _, content := range contents {
		ix.AddResult(content, nil)
	}
	return ix
}

// holds fails unless the index, as far as the view goes, holds every form of the other one.
func holds(t *testing.T, ix *Index, v View, other *Index) {
	t.Helper()
	for _, form := range other.Forms() {
		if _, ok := ix.Turn(form, v); !ok {
			t.Fatalf("%q is not held", form)
		}
	}
}

// Two results as two rows hold what each holds alone, each in its own row, and nothing else.
func FuzzTwoRowsHoldBoth(f *testing.F) {
	addSeeds(f, true)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		both, first, second := indexOf(a, b), indexOf(a), indexOf(b)
		holds(t, both, onlyRow(both, 0), first)
		holds(t, both, onlyRow(both, 1), second)
		for _, form := range both.Forms() {
			turn, _ := both.Turn(form, everyRow(both))
			alone := first
			if turn == 2 {
				alone = second
			}
			if _, ok := alone.Turn(form, everyRow(alone)); !ok {
				t.Fatalf("%q is held in turn %d and stands in neither result", form, turn)
			}
		}
	})
}

// Two JSON results in one text, as an MCP text result joins its blocks, hold exactly what the two hold.
func FuzzOneTextHoldsBoth(f *testing.F) {
	addSeeds(f, true)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		a, b = servedjson.TrimJS(a), servedjson.TrimJS(b)
		if !isBracketed(a) || !isBracketed(b) {
			return
		}
		joined := indexOf(slices.Concat(a, []byte("\n"), b))
		both := indexOf(a, b)
		holds(t, joined, everyRow(joined), both)
		holds(t, both, everyRow(both), joined)
	})
}

func isBracketed(b []byte) bool {
	v, err := servedjson.Parse(b)
	return err == nil && (v.Kind() == servedjson.Object || v.Kind() == servedjson.Array)
}

// Every key and every leaf that encoding/json reads in a result is held, a text leaf also by each of its tokens.
func FuzzLeavesAreHeld(f *testing.F) {
	addSeeds(f, false)
	f.Fuzz(func(t *testing.T, content []byte) {
		v, err := servedjson.Parse(servedjson.TrimJS(content))
		if err != nil || !isBracketed(v.Raw()) {
			return
		}
		if _, declares := ProjectAbsence(v); declares {
			return
		}
		dec := json.NewDecoder(bytes.NewReader(v.Raw()))
		dec.UseNumber()
		var data any
		if err := dec.Decode(&data); err != nil {
			t.Fatalf("encoding/json refuses what was read: %v", err)
		}
		ix := indexOf(content)
		checkLeaves(t, ix, data)
	})
}

func checkLeaves(t *testing.T, ix *Index, data any) {
	t.Helper()
	switch data := data.(type) {
	case map[string]any:
		for key, value := range data {
			checkForm(t, ix, NormalizeToken(key))
			checkLeaves(t, ix, value)
		}
	case []any:
		for _, value := range data {
			checkLeaves(t, ix, value)
		}
	case string:
		checkForm(t, ix, NormalizeToken(data))
		for _, token := range Tokenize(data) {
			checkForm(t, ix, token)
		}
	case json.Number:
		x, err := strconv.ParseFloat(data.String(), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			t.Fatal(err)
		}
		checkForm(t, ix, NormalizeToken(string(servedjson.AppendJSNumber(nil, x))))
	case bool:
		checkForm(t, ix, strconv.FormatBool(data))
	}
}

// checkForm fails unless a form, and what follows its 0x, is held.
func checkForm(t *testing.T, ix *Index, form string) {
	t.Helper()
	if form == "" {
		return
	}
	for _, form := range LookupForms(form) {
		if _, ok := ix.Turn(form, everyRow(ix)); !ok {
			t.Fatalf("%q is not held", form)
		}
	}
}

// Adding a result again adds no form; the form's newest turn is then the second one's.
func FuzzAddingAgainAddsNoForm(f *testing.F) {
	addSeeds(f, false)
	f.Fuzz(func(t *testing.T, content []byte) {
		ix := indexOf(content)
		forms := ix.Forms()
		first := ix.AddResult(content, nil)
		if second := ix.AddResult(content, nil); second.Capped != first.Capped || second.Row != first.Row+1 {
			t.Fatalf("read as %+v, then as %+v", first, second)
		}
		if again := ix.Forms(); !slices.Equal(forms, again) {
			t.Fatalf("forms %q became %q", forms, again)
		}
		for _, form := range forms {
			if turn, ok := ix.Turn(form, everyRow(ix)); !ok || turn != 3 {
				t.Fatalf("%q stands in turn %d, want 3", form, turn)
			}
			if calls, more := ix.Carriers(form, everyRow(ix)); more || !slices.Equal(calls, []string{"call-2"}) {
				t.Fatalf("%q was carried by %q, want call-2", form, calls)
			}
		}
	})
}

// A view that lets less be read never grounds more: neither a form, nor a later turn, nor an answer's value.
func FuzzSmallerViewGroundsNoMore(f *testing.F) {
	for i, a := range results {
		f.Add([]byte(a), []byte(results[(i*5+1)%len(results)]), "srv-1204 did 41,200 and 4417us 0xef0101", uint8(i))
	}
	f.Fuzz(func(t *testing.T, a, b []byte, answer string, mask uint8) {
		ix := indexOf(a, b, a)
		all, some := everyRow(ix), everyRow(ix)
		for row := range some.Turns {
			if mask>>row&1 != 0 {
				some.Turns[row] = -1
			}
		}
		for _, form := range ix.Forms() {
			turn, ok := ix.Turn(form, some)
			if most, held := ix.Turn(form, all); ok && (!held || turn > most) {
				t.Fatalf("%q: the smaller view gives turn %d, the larger one %d", form, turn, most)
			}
		}
		gate := defaultGate(t)
		candidates := gate.Extract(answer, nil)
		less, more := judged(candidates, ix, some), judged(candidates, ix, all)
		if len(less.Grounded) > len(more.Grounded) || less.Candidates != more.Candidates || less.LookedUp != more.LookedUp {
			t.Fatalf("the smaller view gives %+v, the larger one %+v", less, more)
		}
	})
}

func defaultGate(t testing.TB) *Gate {
	t.Helper()
	gate, err := NewGate(GateConfig{})
	if err != nil {
		t.Fatal(err)
	}
	return gate
}

func judged(candidates []Candidate, ix *Index, v View) Judgement {
	return Check(candidates, Record{Served: ix, ServedView: v, Exempt: NewIndex()})
}

// Whatever is added, the parts of a judgement add up, and what a result says itself is never unsupported.
func FuzzJudgementAddsUp(f *testing.F) {
	addSeeds(f, true)
	f.Fuzz(func(t *testing.T, content, said []byte) {
		served, exempt := indexOf(content), NewIndex()
		exempt.AddText(said)
		gate := defaultGate(t)
		candidates := gate.Extract(string(content)+" "+string(said), nil)
		j := Check(candidates, Record{Served: served, ServedView: everyRow(served), Exempt: exempt, ExemptView: everyRow(exempt)})
		if j.Candidates != len(candidates) || j.LookedUp != len(j.Grounded)+len(j.Unsupported)+len(j.Computed) {
			t.Fatalf("%+v does not add up", j)
		}
		if j.FromThisTurn+j.FromPriorTurns != len(j.Grounded) {
			t.Fatalf("%d and %d turns for %d grounded values", j.FromThisTurn, j.FromPriorTurns, len(j.Grounded))
		}
		for _, c := range Check(gate.Extract(string(said), nil), Record{Served: served, Exempt: exempt, ExemptView: everyRow(exempt)}).Unsupported {
			t.Fatalf("%q was said and is unsupported", c.Value)
		}
	})
}

// A View picks rows of one index the way an index of just those rows would answer.
func TestViewEqualsFreshIndex(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		var contents [][]byte
		for range 1 + r.IntN(12) {
			contents = append(contents, fmt.Appendf(nil, `{"k%d":[%d,"w-%d"]}`, r.IntN(4), r.IntN(6), r.IntN(4)))
		}
		all := indexOf(contents...)
		v := View{Current: 4}
		fresh, freshView := NewIndex(), View{Current: 4}
		for _, content := range contents {
			turn, call := int32(r.IntN(6)-1), strconv.Itoa(r.IntN(3))
			v.Turns, v.Calls = append(v.Turns, turn), append(v.Calls, call)
			if turn >= 0 {
				fresh.AddResult(content, nil)
				freshView.Turns, freshView.Calls = append(freshView.Turns, turn), append(freshView.Calls, call)
			}
		}
		for _, form := range all.Forms() {
			gotTurn, got := all.Turn(form, v)
			wantTurn, want := fresh.Turn(form, freshView)
			if got != want || got && gotTurn != wantTurn {
				t.Fatalf("seed %d: %q in turn %d (%v), want %d (%v)", seed, form, gotTurn, got, wantTurn, want)
			}
			gotCalls, _ := all.Carriers(form, v)
			if wantCalls, _ := fresh.Carriers(form, freshView); !slices.Equal(gotCalls, wantCalls) {
				t.Fatalf("seed %d: %q carried by %q, want %q", seed, form, gotCalls, wantCalls)
			}
		}
	}
}
