package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// errDiffer says that verdicts differ and that the caller asked to be told.
var errDiffer = errors.New("verdicts differ")

// change is an answer whose verdict another policy changes.
type change struct {
	Tenant       string        `json:"tenant"`
	Agent        string        `json:"agent"`
	Conversation string        `json:"conversation"`
	Turn         int           `json:"turn"`
	Iteration    int           `json:"iteration"`
	From         event.Outcome `json:"from"`
	To           event.Outcome `json:"to"`
	// Gone are the values that are no longer listed, New those that are listed now.
	Gone []string `json:"gone"`
	New  []string `json:"new"`
	// By are the equivalences that ground something under the one policy only, Reasons the reasons that are given under
	// the one only; a minus sign marks those of the first.
	By      []string `json:"by"`
	Reasons []string `json:"reasons"`

	tools []string
}

// compareFile judges the file under both policies and shows which verdicts the second changes.
func compareFile(ctx context.Context, c Config, stdin io.Reader, stdout, stderr io.Writer) error {
	in, name, closeIn, err := openIn(c.File, stdin)
	if err != nil {
		return err
	}
	defer closeIn()
	r := &reading{history: replay.New(c.Rules), against: replay.New(c.Against), name: name, complain: stderr}
	if err := r.all(ctx, in); err != nil {
		return err
	}
	answers, changes := compare(r.history, r.against)
	out, finish, err := openOut(c.Out, stdout)
	if err != nil {
		return err
	}
	if out == nil {
		out = stdout
	}
	write := writeChangeLine
	if c.Text {
		write = writeChangeText
	}
	for _, ch := range changes {
		if err := write(out, ch); err != nil {
			return errors.Join(fmt.Errorf("--out: %w", err), finish())
		}
	}
	if err := finish(); err != nil {
		return err
	}
	writeTotals(stderr, answers, changes)
	switch {
	case r.input.Bad > 0:
		return fmt.Errorf("%d of %d lines could not be read: correct them and run it again", r.input.Bad, r.input.Lines)
	case c.ExitCode && len(changes) > 0:
		return errDiffer
	}
	return nil
}

// compare lists the changed answers in the order of the file. Both histories hold the same answers.
func compare(first, second *replay.History) (answers int, changes []change) {
	now := map[uint64]*event.EvidenceChecked{}
	for out := range second.Outputs() {
		if out.Evidence != nil {
			now[out.Seq] = out.Evidence
		}
	}
	for out := range first.Outputs() {
		if out.Evidence == nil {
			continue
		}
		answers++
		if ch, changed := changeOf(out.Evidence, now[out.Seq]); changed {
			changes = append(changes, ch)
		}
	}
	return answers, changes
}

func changeOf(was, is *event.EvidenceChecked) (change, bool) {
	ch := change{
		Tenant: was.Tenant, Agent: was.Agent, Conversation: was.Conversation, Turn: was.Turn, Iteration: was.Iteration,
		From: was.Outcome, To: is.Outcome,
		Gone: without(valuesOf(was), valuesOf(is)), New: without(valuesOf(is), valuesOf(was)),
		By:      both(was.Equivalences, is.Equivalences),
		Reasons: both(reasonsOf(was), reasonsOf(is)),
	}
	for _, r := range was.Results {
		if !slices.Contains(ch.tools, r.Tool) {
			ch.tools = append(ch.tools, r.Tool)
		}
	}
	return ch, ch.From != ch.To || len(ch.Gone)+len(ch.New)+len(ch.Reasons) > 0
}

func valuesOf(v *event.EvidenceChecked) []string {
	var values []string
	for _, u := range v.Unsupported {
		values = append(values, u.Value)
	}
	return values
}

func reasonsOf(v *event.EvidenceChecked) []string {
	var reasons []string
	for _, r := range v.Reasons {
		reasons = append(reasons, string(r))
	}
	return reasons
}

// both lists what only the second has, and with a minus sign what only the first has.
func both(first, second []string) []string {
	all := without(second, first)
	for _, gone := range without(first, second) {
		all = append(all, "-"+gone)
	}
	return all
}

func without(list, other []string) []string {
	left := []string{}
	for _, item := range list {
		if !slices.Contains(other, item) {
			left = append(left, item)
		}
	}
	return left
}

func writeChangeLine(w io.Writer, ch change) error {
	line, err := json.Marshal(ch)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

func writeChangeText(w io.Writer, ch change) error {
	var why []string
	for _, part := range []struct {
		said string
		list []string
	}{{"no longer listed", ch.Gone}, {"listed now", ch.New}, {"by", ch.By}, {"because of", ch.Reasons}} {
		if len(part.list) > 0 {
			why = append(why, part.said+" "+strings.Join(part.list, ", "))
		}
	}
	_, err := fmt.Fprintf(w, "%s/%s turn %d  %s → %s  %s\n", report.Plain(ch.Agent), report.Plain(ch.Conversation), ch.Turn,
		ch.From, ch.To, report.Plain(strings.Join(why, "; ")))
	return err
}

// writeTotals says how many verdicts change, in all, by agent and by tool.
func writeTotals(w io.Writer, answers int, changes []change) {
	agents, tools := map[string]int{}, map[string]int{}
	for _, ch := range changes {
		agents[ch.Agent]++
		for _, tool := range ch.tools {
			tools[tool]++
		}
	}
	fmt.Fprintf(w, "%d of %d verdicts change\n", len(changes), answers)
	for _, total := range []struct {
		name  string
		count map[string]int
	}{{"agent", agents}, {"tool", tools}} {
		for _, name := range slices.Sorted(maps.Keys(total.count)) {
			fmt.Fprintf(w, "  %s %s: %d\n", total.name, report.Plain(name), total.count[name])
		}
	}
}
