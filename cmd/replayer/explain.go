package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/explain"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// explainFlags is the command line of explain.
type explainFlags struct {
	Subject string `arg:"" optional:"" help:"The verdict's subject; or name its answer with the flags."`

	NatsURL []string `name:"nats-url" placeholder:"URL" required:"" env:"PLUMBLINE_NATS_URL,NATS_URL" help:"NATS servers."`
	cli.Access

	Prefix       string `default:"agent" help:"First part of every subject."`
	Tenant       string `placeholder:"NAME" help:"Tenant of the answer."`
	Agent        string `placeholder:"NAME" help:"Agent of the answer."`
	Conversation string `placeholder:"ID" help:"Conversation of the answer."`
	Turn         int    `placeholder:"N" help:"Turn of the answer, from 1."`
	Iteration    int    `placeholder:"N" help:"Iteration of the answer (0)."`
	Rules        string `placeholder:"ID" help:"Ruleset: ${rulesets} (${ruleset})."`
	Policy       string `placeholder:"FILE" help:"Policy file that the verdict was made by."`
	cli.Values
	JSON bool `name:"json" help:"All of it, as one JSON object."`
}

// request names the verdict. The error names the flags and says what to do.
func (f explainFlags) request() (explain.Request, error) {
	named := f.Turn != 0 || f.Iteration != 0 || f.Conversation != "" || f.Tenant != "" || f.Agent != ""
	switch {
	case f.Subject != "" && named:
		return explain.Request{}, errors.New("name the verdict by its subject, or by --tenant, --agent, --conversation, --turn and --iteration: not by both")
	case f.Subject == "" && f.Turn < 1:
		return explain.Request{}, errors.New("name the verdict: its subject, or --tenant, --agent, --conversation, --turn and --iteration")
	}
	return explain.Request{
		Subject: f.Subject, Tenant: f.Tenant, Agent: f.Agent, Conversation: f.Conversation, Turn: f.Turn, Iteration: f.Iteration,
	}, f.Check()
}

// explainVerdict writes what a stored verdict rests on. It reads the streams, and changes nothing.
func explainVerdict(ctx context.Context, f explainFlags, stdout, stderr io.Writer) int {
	q, err := f.request()
	if err != nil {
		return program.Fail(stderr, cli.Usage, err)
	}
	made, err := f.explain(ctx, q)
	wrong, bad := errors.AsType[*explain.RequestError](err)
	switch usage, misused := errors.AsType[*usageError](err); {
	case bad:
		return program.Fail(stderr, cli.Usage, wrong)
	case misused:
		return program.Fail(stderr, cli.Usage, usage)
	case err != nil:
		return program.Fail(stderr, cli.Unfinished, err)
	}
	if err := f.write(made, stdout); err != nil {
		return program.Fail(stderr, cli.Unfinished, err)
	}
	return cli.Done
}

func (f explainFlags) explain(ctx context.Context, q explain.Request) (explain.Explanation, error) {
	rules, err := cli.Rules(f.Rules, f.Policy, f.Values)
	if err != nil {
		return explain.Explanation{}, &usageError{err}
	}
	nc, err := jet.Connect(f.NATS("replayer", f.NatsURL))
	if err != nil {
		return explain.Explanation{}, &usageError{err}
	}
	defer nc.Close()
	if err := answers(ctx, nc); err != nil {
		return explain.Explanation{}, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return explain.Explanation{}, err
	}
	subjects := event.Subjects{Prefix: f.Prefix}
	sink, err := jet.NewSink(nc, jet.SinkConfig{Subjects: subjects})
	if err != nil {
		return explain.Explanation{}, err
	}
	events := jet.NewPast(js, jet.EventsStream)
	made, err := explain.Explainer{
		Rules: rules, Subjects: subjects, Chain: sink.Chain, Event: events.At, History: events.History,
	}.Explain(ctx, q)
	return made, errors.Join(err, sink.Close(context.WithoutCancel(ctx)))
}

// write writes the explanation to read, or as JSON.
func (f explainFlags) write(made explain.Explanation, stdout io.Writer) error {
	if f.JSON {
		return json.NewEncoder(stdout).Encode(made)
	}
	var v event.EvidenceChecked
	if err := json.Unmarshal(made.Verdict, &v); err != nil {
		return err
	}
	text := report.NewText(stdout, report.Terminal(stdout))
	text.Verdict(v, made.Revision, made.Answer)
	text.Say(fmt.Sprintf("audit sequence %d, %s", made.Sequence, made.Subject))
	if made.Note != "" {
		text.Say("note: " + made.Note)
	}
	for _, value := range made.Values {
		text.Say(fmt.Sprintf("%s: %s", report.Plain(value.Value), value.Standing))
		for _, h := range value.Holders {
			text.Say("    " + holderWords(h))
		}
		if value.More {
			text.Say("    and more")
		}
	}
	return text.Err()
}

// holderWords says where a value stands.
func holderWords(h explain.Holder) string {
	said := fmt.Sprintf("event %d, ", h.Sequence)
	switch {
	case h.Call == "" && h.Tool == "":
		said += fmt.Sprintf("turn %d, what was said", h.Turn)
	default:
		said += fmt.Sprintf("turn %d, call %s of %s, %s", h.Turn, report.Plain(h.Call), report.Plain(h.Tool), h.Field)
	}
	if h.Path != "" {
		said += " " + report.Plain(h.Path)
	}
	if h.At != nil {
		said += fmt.Sprintf(", bytes %d to %d", h.At[0], h.At[1])
	}
	return strings.TrimSpace(said)
}
