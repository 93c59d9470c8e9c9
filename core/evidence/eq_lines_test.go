package evidence

import "testing"

// What tools print around a value, quoted without it, and the nearest inventions.
func TestWhatToolsPrintAround(t *testing.T) {
	const (
		grep   = "src/x.ts:42:const a\nsrc/x.ts:51:const b"
		one    = "1423:func x2() {"
		lines  = "    42\tfunc foo() {\n    51\t}\n"
		csv    = "id,day,amount\nEU-1,1234.50,5000\na1b2c3,2024-05-20,12.5\nu_123,44.5\n"
		ctime  = "Date:   Mon May 20 13:05:09 2024 +0200"
		date   = "Mon May 20 13:05:09 UTC 2024"
		access = `127.0.0.1 - - [20/May/2024:13:05:09 +0000] "GET / HTTP/1.1" 200 12345`
		tsc    = "src/y.ts(42,17): error TS2304: Cannot find name"
		colour = "\x1b[32mA1234\x1b[0m took 12345\x1b[1mms"
	)
	for _, tt := range []struct{ name, result, answer, unsupported string }{
		{"grep: a line of a file", grep, "see src/x.ts:42 and x.ts:51", ""},
		{"grep: a range of lines", grep, "[x](src/x.ts#L42-L51), src/x.ts:42-51, src/x.ts:L42", ""},
		{"grep: another line", grep, "see src/x.ts:43", "src/x.ts:43"},
		{"grep: a range to another line", grep, "see src/x.ts:42-59", "src/x.ts:42-59"},
		{"grep of one file", one, "x2() on line 1423", ""},
		{"grep of one file: another line", one, "on line 1424", "1424"},
		{"reading a file shows its lines only", lines, "`src/x.ts:42`, L42-L51", ""},
		{"reading a file: another line", lines, "src/x.ts:45", "src/x.ts:45"},
		{"a host is no file", lines, "db.example.com:42", "db.example.com:42"},
		{"comma-separated: ids", csv, "EU-1 has 5,000, a1b2c3 12.5, u_123 44.5", ""},
		{"comma-separated: a date", csv, "on May 20, 2024", ""},
		{"comma-separated: inventions", csv, "EU-2 on May 21, 2024, u_124", "eu-2 | may 21, 2024 | u_124"},
		{"the date of a log of commits", ctime, "2024-05-20 13:05", ""},
		{"the date of a log of commits: another year", ctime, "2023-05-20", "2023-05-20"},
		{"the date of date", date, "2024-05-20 at 1:05 PM", ""},
		{"the date of an access log", access, "May 20, 2024 at 1:05 PM", ""},
		{"the date of an access log: another time", access, "20 May 2024 at 1:06 PM", "1:06 pm"},
		{"a compiler's place", tsc, "src/y.ts:42:17", ""},
		{"a compiler's place: another", tsc, "src/y.ts:43:17", "src/y.ts:43:17"},
		{"colours of a terminal", colour, "A1234 took 12345 ms", ""},
		{"colours of a terminal: an invention", colour, "A1235", "a1235"},
		{"an arrow", `{"a":30000,"b":"B5678"}`, "30000->B5678, 30000-->B5678", ""},
		{"an arrow: an invention", `{"a":30000,"b":"B5678"}`, "30001->B5678", "30001-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := held(t, GateConfig{Calibrated: true}, []string{tt.result}, nil, tt.answer); got != tt.unsupported {
				t.Errorf("unsupported %q, want %q", got, tt.unsupported)
			}
		})
	}
}
