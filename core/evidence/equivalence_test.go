package evidence

import (
	"strings"
	"testing"
)

// held judges an answer over results and texts that exempt, under the gate, and gives the unsupported values and the
// equivalences that grounded something.
func held(t *testing.T, config GateConfig, results, texts []string, answer string) (unsupported, rules string) {
	t.Helper()
	gate, err := NewGate(config)
	if err != nil {
		t.Fatal(err)
	}
	served, exempt := NewIndexFor(gate), NewIndexFor(gate)
	r := Record{Served: served, Exempt: exempt, ServedView: View{Current: 1}}
	for _, result := range results {
		served.AddResult([]byte(result), nil)
		r.ServedView.Turns = append(r.ServedView.Turns, 1)
		r.ServedView.Calls = append(r.ServedView.Calls, "c1")
	}
	for _, text := range texts {
		exempt.AddText([]byte(text))
		r.ExemptView.Turns = append(r.ExemptView.Turns, 1)
	}
	j := Check(gate.Extract(answer, nil), r)
	var values []string
	for _, c := range j.Unsupported {
		values = append(values, c.Value)
		for _, span := range c.Spans {
			if span[0] < 0 || span[1] > len(answer) || span[0] >= span[1] {
				t.Errorf("%q: span %v outside the answer", c.Value, span)
			}
		}
	}
	return strings.Join(values, " | "), strings.Join(j.Equivalences(), " ")
}

// Each rule from both directions: the honest spelling passes, the nearest invention still fails.
func TestEquivalences(t *testing.T) {
	for _, tt := range []struct{ name, result, text, answer, unsupported, rules string }{
		{"clock: seconds left out", `{"dep":"07:00:00"}`, "", "at 07:00", "", "clock"},
		{"clock: no leading zero", `{"dep":"07:00:00"}`, "", "at 7:00", "", "clock"},
		{"clock: am", `{"dep":"07:00:00"}`, "", "at 7:00 AM", "", "clock"},
		{"clock: pm", `{"dep":"19:30:00"}`, "", "at 7:30 p.m. sharp", "", "clock"},
		{"clock: of a stamp", `{"dep":"2031-03-04T07:00:00Z"}`, "", "at 07:00", "", "clock"},
		{"clock: the other way round", `departs 7:05 PM`, "", "at 19:05", "", "clock"},
		{"clock: next day", `{"arr":"03:00:00"}`, "", "lands 03:00+1", "", "clock"},
		{"clock: the person's", `[]`, "meet me at 7:05 pm", "at 19:05:00", "", ""},
		{"clock: pm is not am", `{"dep":"07:00:00"}`, "", "at 7:00 PM", "7:00 pm", ""},
		{"clock: am is not pm", `departs 7:00 PM`, "", "at 7:00 AM", "7:00 am", ""},
		{"clock: another minute", `{"dep":"07:00:00"}`, "", "at 7:01 AM", "7:01 am", ""},
		{"clock: another second", `{"dep":"07:00:10"}`, "", "at 07:00:20", "07:00:20", ""},
		{"clock: no time of day", `{"dep":"07:00:00"}`, "", "at 27:00", "27:00", ""},

		{"date: in words", `{"date":"2024-05-20"}`, "", "on May 20, 2024", "", "date"},
		{"date: the day first", `{"date":"2024-05-20"}`, "", "on 20 May 2024", "", "date"},
		{"date: ordinal", `{"date":"2024-05-20"}`, "", "on May 20th, 2024", "", "date"},
		{"date: slashes", `{"date":"2024-05-20"}`, "", "on 5/20/2024", "", "date"},
		{"date: of a stamp", `{"at":"2024-05-20T10:11:12"}`, "", "on 2024-05-20", "", "date"},
		{"date: the other way round", `on May 20, 2024`, "", "on 2024-05-20", "", "date"},
		{"date: the day said, the year known", `[]`, "May 20th please. It is 2024-05-15 now.", "on 2024-05-20", "", ""},
		{"date: the year", `{"at":"2024-05-20T10:11:12"}`, "", "in 2024", "", "date"},
		{"date: another day", `{"date":"2024-05-20"}`, "", "on May 21, 2024", "may 21, 2024", ""},
		{"date: another year", `{"date":"2024-05-20"}`, "", "on May 20, 2023", "may 20, 2023", ""},
		{"date: no date", `{"date":"2024-05-20"}`, "", "on 2024-05-79", "2024-05-79", ""},
		{"date: two readings", `{"date":"2024-05-06"}`, "", "on 05/06/2024", "05/06/2024", ""},

		{"id-part: behind a word", `{"id":"certificate_7504069"}`, "", "certificate 7504069", "", "id-part"},
		{"id-part: behind two words", `{"gift_card_7504069":1}`, "", "gift card 7504069", "", "id-part"},
		{"id-part: behind a colon", `order:W-88123`, "", "W-88123", "", "id-part"},
		{"id-part: another number", `{"id":"certificate_7504069"}`, "", "certificate 7504068", "7504068", ""},
		{"id-part: not a part of a component", `{"id":"certificate_7504069"}`, "", "certificate 504069", "504069", ""},
		{"id-part: not behind a number", `{"id":"2024-7504069"}`, "", "number 7504069", "7504069", ""},

		{"hex: abbreviated", `{"sha":"7c19e02b4d5a6f708192a3b4c5d6e7f8091a2b3c"}`, "", "fixed in 7c19e02", "", "hex"},
		{"hex: upper case and braces", `{"id":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"}`, "", "{F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6}", "", ""},
		{"hex: a urn", `{"id":"urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"}`, "", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "", "hex"},
		{"hex: without hyphens", `{"id":"f81d4fae7dec11d0a76500a0c91e6bf6"}`, "", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "", "hex"},
		{"hex: behind its algorithm", `{"image":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}`, "", "image 9f86d081884c", "", "hex"},
		{"hex: another abbreviation", `{"sha":"7c19e02b4d5a6f708192a3b4c5d6e7f8091a2b3c"}`, "", "fixed in 7c19e03", "7c19e03", ""},
		{"hex: too short", `{"sha":"7c19e02b4d5a6f708192a3b4c5d6e7f8091a2b3c"}`, "", "fixed in 7c19e0", "7c19e0", ""},
		{"hex: longer than what was read", `{"sha":"7c19e02"}`, "", "7c19e02b4d5a6f708192a3b4c5d6e7f8091a2b3c", "7c19e02b4d5a6f708192a3b4c5d6e7f8091a2b3c", ""},
		{"hex: of an id that is no full hash", `{"port":"0xab12ff88"}`, "", "port 0xab12ff8 is down", "0xab12ff8", ""},

		{"number: decimal comma", `{"balance":2480.5}`, "", "Saldo: 2.480,50 EUR", "", "number"},
		{"number: points", `{"n":1234567}`, "", "1.234.567 Zeilen", "", "number"},
		{"number: no-break spaces and minus", `{"delta":-1204.5}`, "", "Delta \u22121\u202f204,5", "", "number"},
		{"number: served in another dress", `Saldo: 2.480,50 EUR`, "", "balance 2480.5", "", "number"},
		{"number: scientific", `{"n":1200}`, "", "about 1.2e3", "", "number"},
		{"number: a currency code", `{"n":2480}`, "", "USD2480", "", "number"},
		{"number: other digits", `{"n":48210}`, "", "٤٨٢١٠", "", ""},
		{"number: no-break hyphen", `{"part":"AB-778"}`, "", "part AB\u2011778", "", ""},
		{"number: another part", `{"part":"AB-778"}`, "", "part AB\u2011779", "ab-779", ""},
		{"number: another decimal", `{"balance":2480.5}`, "", "Saldo: 2.480,51 EUR", "2480.51", ""},
		{"number: a refund", `{"amount":-2571}`, "", "a refund of $2571", "", "number"},
		{"number: a real negative keeps its sign", `{"skew":1234.5}`, "", "Skew=-1234.5 here", "-1234.5", ""},
		{"number: not widened", `{"rows":6234}`, "", "roughly 6,000 rows", "6000", ""},
		{"number: one group is two readings", `{"n":1234}`, "", "1.234 rows", "1.234", ""},

		{"digits: a long serial", `{"serial":12345678901234567890}`, "", "serial 12345678901234567890", "", "digits"},
		{"digits: another serial", `{"serial":12345678901234567890}`, "", "serial 12345678901234567891", "12345678901234567891", ""},

		{"range: hyphen", `{"a":[1112,1478]}`, "", "between 1112-1478", "", "range"},
		{"range: en dash", `{"a":[1112,1478]}`, "", "between 1112–1478", "", ""},
		{"range: slash of times", `{"a":["07:00:00","09:30:00"]}`, "", "07:00-09:30", "", "clock"},
		{"range: one side invented", `{"a":[1112,1478]}`, "", "between 1112-1479", "1479", ""},
		{"range: short numbers assert nothing", `[]`, "", "10-15 minutes", "", ""},

		{"list: two values", `{"a":[2031,2032]}`, "", "rows 2031,2032", "", "list"},
		{"list: addresses", `["10.0.0.1","10.0.0.2"]`, "", "10.0.0.1,10.0.0.2", "", "list"},
		{"list: one invented", `{"halls":[3100]}`, "", "3100,4777 in the two halls", "4777", ""},
		{"list: a decimal that was read", `{"x":1204.5}`, "", "1204,5", "", "number"},

		{"structure: a section", `[]`, "", "See section 12.4.1 and §3.2.1", "", ""},
		{"structure: a list marker", `[]`, "", "1000. first\n1001. second", "", ""},
		{"structure: a step", `[]`, "", "step 2024 of the plan", "", ""},
		{"structure: no section", `[]`, "", "release 12.4.1", "12.4.1", ""},
		{"structure: no marker", `[]`, "", "it took 1000. Then", "1000", ""},

		{"mcp: blocks", `[{"type":"text","text":"{\"build\":20440}"},{"type":"text","text":"status: failed"}]`, "", "Build 20440 failed", "", ""},
		{"mcp: a block with JSON and text", `{"content":[{"type":"text","text":"{\"build\":20440}\n\nnote 7781"}]}`, "", "Build 20440, 7781", "", ""},
		{"a string that is JSON", `{"body":"{\"build\":20440}"}`, "", "Build 20440", "", ""},
		{"a string that is not all JSON", `{"body":"{\"build\":20440} and"}`, "", "Build 20440", "", "id-part"},
		{"html", `<td>AT&amp;T</td><td>12&#44;480&nbsp;sites</td><td>A&amp;B-77</td>`, "", "AT&T lists 12,480 sites, ref A&B-77.", "", ""},
		{"html: entities once", `<p>x&amp;#50;0440</p>`, "", "20440", "20440", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var texts []string
			if tt.text != "" {
				texts = []string{tt.text}
			}
			unsupported, rules := held(t, GateConfig{Calibrated: true}, []string{tt.result}, texts, tt.answer)
			if unsupported != tt.unsupported || rules != tt.rules {
				t.Errorf("unsupported %q by %q, want %q by %q", unsupported, rules, tt.unsupported, tt.rules)
			}
		})
	}
}

// A rule that is switched off holds nothing.
func TestEquivalencesSwitchedOff(t *testing.T) {
	for _, tt := range []struct{ off, result, answer string }{
		{"clock", `{"dep":"07:00:00"}`, "at 7:00 AM"},
		{"date", `{"date":"2024-05-20"}`, "on May 20, 2024"},
		{"id-part", `{"id":"certificate_7504069"}`, "certificate 7504069"},
		{"hex", `{"sha":"7c19e02b4d5a6f708192a3b4c5d6e7f8091a2b3c"}`, "7c19e02"},
		{"number", `{"amount":-2571}`, "a refund of 2571"},
		{"digits", `{"serial":12345678901234567890}`, "12345678901234567890"},
		{"range", `[1112,1478]`, "1112-1478"},
		{"list", `["10.0.0.1","10.0.0.2"]`, "10.0.0.1,10.0.0.2"},
		{"structure", `[]`, "section 12.4.1"},
	} {
		on, _ := held(t, GateConfig{Calibrated: true}, []string{tt.result}, nil, tt.answer)
		off, _ := held(t, GateConfig{Calibrated: true, Off: []string{tt.off}}, []string{tt.result}, nil, tt.answer)
		if on != "" || off == "" {
			t.Errorf("%s: unsupported %q with the rule and %q without", tt.off, on, off)
		}
	}
	if _, err := NewGate(GateConfig{Calibrated: true, Off: []string{"sums"}}); err == nil || !strings.Contains(err.Error(), "sums") {
		t.Errorf("an unknown rule: error %v", err)
	}
}

// literal-1 knows nothing of the rules.
func TestLiteralStaysLiteral(t *testing.T) {
	unsupported, _ := held(t, GateConfig{}, []string{`{"dep":"07:00:00","date":"2024-05-20"}`}, nil, "7:00 AM on May 20, 2024")
	if unsupported != "7:00 | 2024" {
		t.Errorf("unsupported %q", unsupported)
	}
}

func FuzzCalibrated(f *testing.F) {
	f.Add(`{"dep":"07:00:00"}`, "7:00 AM, May 20 2024, 1 204,5 and 10-15")
	f.Add("<b>1.234.567</b>", "a-b/c,d 2.480,50")
	gate, err := NewGate(GateConfig{Calibrated: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, result, answer string) {
		index := NewIndexFor(gate)
		index.AddResult([]byte(result), nil)
		index.AddResult([]byte(answer), nil)
		r := Record{Served: index, Exempt: NewIndexFor(gate), ServedView: View{Turns: []int32{1, 1}, Calls: []string{"a", "b"}, Current: 1}}
		for _, c := range Check(gate.Extract(answer, nil), r).Unsupported {
			t.Errorf("%q stands in a result that is the answer itself", c.Value)
		}
	})
}
