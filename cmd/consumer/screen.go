package main

import (
	"fmt"
	"io"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/event"
)

// screen is what a person sees of the demo: text, or with json the payloads on stdout and everything else on stderr.
type screen struct {
	json   bool
	out    io.Writer
	text   *report.Text
	tally  report.Tally
	failed error
}

func newScreen(json bool, stdout, stderr io.Writer) *screen {
	said := stdout
	if json {
		said = stderr
	}
	return &screen{json: json, out: stdout, text: report.NewText(said, report.Colours(said))}
}

// err is the first error of writing.
func (s *screen) err() error {
	if s.failed != nil {
		return fmt.Errorf("write to stdout: %w", s.failed)
	}
	return s.text.Err()
}

func (s *screen) intro() {
	s.text.Say("Real airline conversations, published to a NATS server inside this process and audited live.")
	s.text.Say(report.Limits)
	s.text.Say("")
}

// show puts one landing on the screen and counts it.
func (s *screen) show(l landing) {
	if s.json && l.letter == nil {
		s.print(l.payload)
	}
	switch {
	case l.evidence != nil:
		s.tally.Verdict(*l.evidence)
		if !s.json {
			s.text.Verdict(*l.evidence, l.revision, l.answer)
		}
	case l.coverage != nil:
		s.tally.Declared(*l.coverage)
		if !s.json {
			s.text.Declared(*l.coverage)
		}
	case l.letter != nil:
		s.tally.Dead(l.letter.Reason)
		s.text.Letter(l.letter.Seq, l.letter.Reason, l.letter.Detail)
	}
}

func (s *screen) print(payload []byte) {
	if s.failed == nil {
		_, s.failed = s.out.Write(append(payload, '\n'))
	}
}

func (s *screen) summary() { s.text.Summary(s.tally.Summary()) }

// listening says how to go on.
func (s *screen) listening(url string, subjects event.Subjects) {
	subject := subjects.Event(event.Conversation{Tenant: "me", Agent: "mine", ID: "first"})
	s.text.Say("")
	s.text.Say(" Still listening on " + url + ". Publish an answer of your own to see its verdict:")
	s.text.Say("")
	s.text.Say(" nats pub -s " + url + " " + subject + ` '{"v":1,"type":"answer","id":"1",`)
	s.text.Say(`   "time":"2026-01-05T09:00:00Z","tenant":"me","agent":"mine","conversation":"first","turn":1,`)
	s.text.Say(`   "iteration":1,"user":"Where is my parcel?","text":"Parcel 48213 is on its way."}'`)
	s.text.Say("")
	s.text.Say(" Ctrl-C ends it.")
}
