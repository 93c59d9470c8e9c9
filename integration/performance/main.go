// Command performance reads what the benchmarks printed and writes a table: each target of the project as a
// ratio of two figures of one run. make bench runs it.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchfmt"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "performance:", err)
		os.Exit(1)
	}
}

// run reads benchmark results from the named files, or from stdin when none is named.
func run(files []string, stdin io.Reader, stdout io.Writer) error {
	figures := figures{}
	if len(files) == 0 {
		if err := figures.read(stdin, "stdin"); err != nil {
			return err
		}
	}
	for _, name := range files {
		if err := figures.readFile(name); err != nil {
			return err
		}
	}
	return figures.write(stdout)
}

// figures are the measured values, by "Benchmark unit". A benchmark that ran several times keeps its best.
type figures map[string]float64

func (f figures) readFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	return f.read(file, name)
}

func (f figures) read(r io.Reader, name string) error {
	results := benchfmt.NewReader(r, name)
	for results.Scan() {
		switch record := results.Result().(type) {
		case *benchfmt.SyntaxError:
			return record
		case *benchfmt.Result:
			f.add(record)
		}
	}
	if err := results.Err(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if len(f) == 0 {
		return errors.New("no benchmark results: run make bench")
	}
	return nil
}

func (f figures) add(r *benchfmt.Result) {
	base, parts := r.Name.Parts()
	var name strings.Builder
	name.WriteString(string(base))
	for _, part := range parts {
		if !strings.HasPrefix(string(part), "-") { // -2 is how many processors there were
			name.WriteString(string(part))
		}
	}
	for _, v := range r.Values {
		key := name.String() + " " + v.Unit
		if old, ok := f[key]; !ok || better(v.Unit, v.Value, old) {
			f[key] = v.Value
		}
	}
}

// better tells which of two figures of one benchmark says more about the program and less about the machine's other work.
func better(unit string, a, b float64) bool {
	if strings.HasSuffix(unit, "/s") {
		return a > b
	}
	return a < b
}

// target is a row of the table: one figure, or a figure as a multiple of another, and what it should be.
type target struct {
	what        string
	figure      string // benchmark and unit
	over        string // the same, empty: the figure itself
	least, most float64
}

// targets are in the order of the issue that set them.
var targets = []target{
	{what: "index a 100 KB result and the exempt corpus, judge a 2 KB answer", figure: "Result/index_and_judge sec/op", over: "Result/json.Valid sec/op", most: 1.2},
	{what: "cut JSON of 1 MB", figure: "VisitPrefix1MB/servedjson sec/op", over: "VisitPrefix1MB/json.Valid sec/op", most: 0.4},
	{what: "leading values of 1 MB", figure: "LeadingValues1MB/servedjson sec/op", over: "LeadingValues1MB/json.Valid sec/op", most: 0.4},
	{what: "tokenize 1 MB of prose", figure: "Tokenize sec/op", over: "JSONValid sec/op", most: 1.3},
	{what: "judge a 2 KB answer over a ready index", figure: "Result/judge sec/op", over: "Result/json.Valid sec/op", most: 0.03},
	{what: "allocations to judge it", figure: "Result/judge allocs/op"},
	{what: "allocations to index the result, for each 1,000 distinct forms", figure: "Forms allocs/kiloform"},
	{what: "bytes of folded state beyond its text, for each distinct form", figure: "Forms B/form", most: 40},
	{what: "pipeline, of a bare passthrough", figure: "Pipeline/judged events/s", over: "Pipeline/passthrough events/s", least: 0.9},
	{what: "answer stored to verdict stored, 99 of 100, milliseconds", figure: "Latency p99-ms", most: 5},
	{what: "replay, of a bare ordered read", figure: "Replay of-bare", least: 0.85},
	{what: "an event at 1,000,000 open conversations, of one at 1,000", figure: "Growth/open_conversations=1000000 sec/event", over: "Growth/open_conversations=1000 sec/event", most: 1.2},
	{what: "an event at 10,000 rows of a conversation, of one at 10", figure: "Growth/rows_of_a_conversation=10000 sec/event", over: "Growth/rows_of_a_conversation=10 sec/event", most: 1.2},
	{what: "an event under a policy of 1,000 agents, of one under 1", figure: "Growth/agents_of_a_policy=1000 sec/event", over: "Growth/agents_of_a_policy=1 sec/event", most: 1.2},
	{what: "calibrated-1 over literal-1, the readers", figure: "Rulesets/calibrated-1 sec/op", over: "Rulesets/literal-1 sec/op", most: 1.5},
}

// write prints the table. What was not measured is an error, after the table.
func (f figures) write(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| what\t| measured\t| target\t| met\t|")
	fmt.Fprintln(table, "|---\t|---\t|---\t|---\t|")
	var missing []string
	for _, t := range targets {
		value, ok := t.value(f)
		if !ok {
			missing = append(missing, t.figure)
			continue
		}
		fmt.Fprintf(table, "| %s\t| %s\t| %s\t| %s\t|\n", t.what, t.shown(value), t.wanted(), t.met(value))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("not measured: %s", strings.Join(missing, ", "))
	}
	return nil
}

func (t target) value(f figures) (float64, bool) {
	value, ok := f[t.figure]
	if t.over == "" || !ok {
		return value, ok
	}
	over, ok := f[t.over]
	return value / over, ok
}

// shown is a ratio as a multiple, and a figure as it is.
func (t target) shown(value float64) string {
	if t.over != "" {
		return fmt.Sprintf("%.3gx", value)
	}
	return fmt.Sprintf("%.3g", value)
}

func (t target) wanted() string {
	switch {
	case t.most > 0:
		return "at most " + t.shown(t.most)
	case t.least > 0:
		return "at least " + t.shown(t.least)
	}
	return ""
}

func (t target) met(value float64) string {
	switch {
	case t.most == 0 && t.least == 0:
		return ""
	case t.most > 0 && value > t.most, t.least > 0 && value < t.least:
		return "no"
	}
	return "yes"
}
