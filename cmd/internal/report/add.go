package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Add counts what another summary counted, of other answers and calls. Its zero value is ready.
func (s *Summary) Add(other Summary) {
	s.Rulesets = slices.Compact(slices.Sorted(slices.Values(append(s.Rulesets, other.Rulesets...))))
	s.Answers += other.Answers
	s.Asserting += other.Asserting
	s.Unsupported += other.Unsupported
	s.Absences += other.Absences
	s.Boundaries += other.Boundaries
	if s.Outcomes == nil {
		s.Outcomes, s.DeadLetters = map[event.Outcome]int{}, map[string]int{}
	}
	add(s.Outcomes, other.Outcomes)
	add(s.DeadLetters, other.DeadLetters)
	for _, tool := range other.Tools {
		s.addTool(tool)
	}
}

func add[Key comparable](into, from map[Key]int) {
	for key, n := range from {
		into[key] += n
	}
}

// addTool keeps the tools in the order of their names.
func (s *Summary) addTool(t ToolSummary) {
	place, known := slices.BinarySearchFunc(s.Tools, t.Tool, func(a ToolSummary, name string) int { return cmp.Compare(a.Tool, name) })
	if !known {
		t.Reading = maps.Clone(t.Reading)
		s.Tools = slices.Insert(s.Tools, place, t)
		return
	}
	s.Tools[place].Calls += t.Calls
	s.Tools[place].Failed += t.Failed
	add(s.Tools[place].Reading, t.Reading)
}
