package main

import (
	"bytes"
	"strings"
	"testing"
)

const printed = `goos: linux
BenchmarkResult/json.Valid-2         	     100	   1000000 ns/op
BenchmarkResult/json.Valid-2         	     100	   1200000 ns/op
BenchmarkResult/judge-2              	   20000	     25000 ns/op	       1 allocs/op
BenchmarkPipeline/judged-2           	       3	    500 events/s
BenchmarkPipeline/passthrough-2      	       3	   1000 events/s
BenchmarkGrowth/agents_of_a_policy=1-2    	       4	   25000 ns/event
BenchmarkGrowth/agents_of_a_policy=1000-2 	       4	   50000 ns/event
PASS
`

func TestTable(t *testing.T) {
	var out bytes.Buffer
	err := run(nil, strings.NewReader(printed), &out)
	if err == nil || !strings.Contains(err.Error(), "not measured: Result/index_and_judge sec/op") {
		t.Errorf("what was not measured: %v", err)
	}
	table := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"| judge a 2 KB answer over a ready index | 0.025x | at most 0.03x | yes |",
		"| allocations to judge it | 1 | | |",
		"| an event under a policy of 1,000 agents, of one under 1 | 2x | at most 1.2x | no |",
		"| pipeline, of a bare passthrough | 0.5x | at least 0.9x | no |",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("no line %q in\n%s", want, table)
		}
	}
	if err := run(nil, strings.NewReader("PASS\n"), &out); err == nil {
		t.Error("no results and no error")
	}
	if err := run([]string{"/nowhere"}, nil, &out); err == nil {
		t.Error("no file and no error")
	}
}
