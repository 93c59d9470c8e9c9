// Package atif reads trajectories in the Agent Trajectory Interchange Format of Harbor. It answers "which turns does this
// trajectory hold?".
//
// Its source is the format's RFC, versions 1.0 to 1.7. A row is a trajectory: the steps of the person, the system and the
// agent, in their order. A step of the agent holds its text, the calls it makes and what came back of them (observation). A
// sub-agent's trajectory that stands inside is a conversation of its own.
package atif

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Format is the form of the trajectories.
var Format = adapter.Format{
	Name:      "atif",
	Says:      "trajectories of Harbor (ATIF)",
	Recognise: recognise,
	New: func(names event.Conversation) adapter.Reader {
		return &reader{dialogues: adapter.NewDialogues(names)}
	},
}

// recognise is sure of steps under the name of the format.
func recognise(row servedjson.Value) adapter.Match {
	steps, _ := row.Get("steps")
	version := adapter.Text(row, "schema_version")
	if steps.Kind() != servedjson.Array || version == "" {
		return adapter.No
	}
	if strings.HasPrefix(version, "ATIF-") {
		return adapter.Yes
	}
	for step := range steps.Elements() {
		if _, numbered := step.Get("step_id"); numbered && adapter.Text(step, "source") != "" {
			return adapter.Yes
		}
		break
	}
	return adapter.No
}

// reader reads one record.
type reader struct {
	dialogues *adapter.Dialogues
	read      map[string]bool // conversations of which a trajectory was read
	parts     int             // trajectories that say that they go on in another
	reports   int             // results that only name a sub-agent's trajectory
}

// Read takes in a trajectory. One that goes on with another of the same session repeats steps of it, marked as copied.
func (r *reader) Read(row adapter.Row, out *adapter.Out) {
	if r.read == nil {
		r.read = map[string]bool{}
	}
	r.trajectory(row.Value, adapter.Text(row.Value, "session_id", "trajectory_id"), place{line: row.Line, out: out})
	r.dialogues.Drain(out)
}

// place is where a trajectory stands, and where faults go.
type place struct {
	line  int
	field string
	out   *adapter.Out
}

// trajectory reads the steps into the conversation of the name, empty for one that the record gives none.
func (r *reader) trajectory(v servedjson.Value, name string, at place) {
	if name == "" {
		name = r.dialogues.NextName()
	}
	d := r.dialogues.Of(name)
	d.At(at.line, "")
	c := talk{Talk: adapter.Talk{Dialogue: d, Line: at.line, Field: at.field, Out: at.out}, reader: r}
	list, _ := v.Get("steps")
	if list.Kind() != servedjson.Array {
		c.Fault("steps", "want a list of steps")
		return
	}
	if version := adapter.Text(v, "schema_version"); strings.HasPrefix(version, "ATIF-") && !strings.HasPrefix(version, "ATIF-v1.") {
		c.Fault("schema_version", adapter.Quote(version)+" is not known: ATIF-v1 is")
	}
	again := r.read[name]
	r.read[name] = true
	for at, step := range adapter.Items(list, "steps") {
		if copied, _ := step.Get("is_copied_context"); copied.Kind() != servedjson.True || !again {
			c.step(step, at)
		}
	}
	if adapter.Text(v, "continued_trajectory_ref") != "" {
		r.parts++
	}
	r.inside(v, name, at)
}

// inside reads the trajectories of sub-agents.
func (r *reader) inside(v servedjson.Value, name string, at place) {
	list, _ := v.Get("subagent_trajectories")
	i := 0
	for field, sub := range adapter.Items(list, adapter.Path(at.field, "subagent_trajectories")) {
		i++
		own := adapter.Text(sub, "trajectory_id", "session_id")
		if own == "" {
			own = "subagent-" + strconv.Itoa(i)
		}
		if name != "" {
			own = name + "/" + own
		}
		inner := at
		inner.field = field
		r.trajectory(sub, own, inner)
	}
}

// Gap says that a row could not be read.
func (r *reader) Gap(line int, out *adapter.Out) { r.dialogues.Gap(line, out) }

// End ends every conversation.
func (r *reader) End(out *adapter.Out) { r.dialogues.End(out) }

// Notes says what could not be seen.
func (r *reader) Notes() []string {
	notes := r.dialogues.Notes()
	if r.parts > 0 {
		notes = append(notes, fmt.Sprintf("trajectories that go on in another file: %d", r.parts))
	}
	if r.reports > 0 {
		notes = append(notes, fmt.Sprintf("results that only name a sub-agent's trajectory: %d; what it reported is not recorded", r.reports))
	}
	return notes
}
