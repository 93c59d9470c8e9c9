package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
)

func TestDemoOnce(t *testing.T) {
	for _, partitions := range []string{"1", "3"} {
		t.Run(partitions+" partitions", func(t *testing.T) {
			p := start(t, "--demo", "--once", "--pace=0s", "--rules=literal-1", "--partitions", partitions)
			if code := p.end(t); code != cli.Done {
				t.Fatalf("code %d", code)
			}
			out := p.stdout.String()
			for _, part := range []string{
				"finds fabrication, not falsehood", "134 answers, 70 of them with a value to check",
				"! unsupported            21   81 values stand in no result",
				`7504069 stands in no result  "…certificate 7504069: $250`,
				"search_direct_flight came back empty and did not say what it searched",
				"messages that could not be read: 0",
			} {
				if !strings.Contains(out, part) {
					t.Errorf("the screen lacks %q", part)
				}
			}
			if strings.Contains(out, "\x1b") {
				t.Error("colours in a buffer")
			}
			for line := range strings.Lines(out) {
				if len([]rune(line)) > 101 {
					t.Errorf("wider than 100 columns: %s", line)
				}
			}
			if p.stderr.String() != "" {
				t.Error("something on stderr")
			}
		})
	}
}

// TestDemoByDefault holds that the default ruleset is the one that few honest spellings are flagged under.
func TestDemoByDefault(t *testing.T) {
	p := start(t, "--demo", "--once", "--pace=0s")
	if code := p.end(t); code != cli.Done {
		t.Fatalf("code %d", code)
	}
	for _, part := range []string{
		"134 answers, 70 of them with a value to check", "! unsupported             3   6 values stand in no result",
		"closest on record: 2024-05-18, in turn 2, call call_",
	} {
		if !strings.Contains(p.stdout.String(), part) {
			t.Errorf("the screen lacks %q", part)
		}
	}
}

func TestDemoJSON(t *testing.T) {
	p := start(t, "--demo", "--once", "--pace=0s", "--json")
	if code := p.end(t); code != cli.Done {
		t.Fatalf("code %d", code)
	}
	lines := 0
	for line := range strings.Lines(p.stdout.String()) {
		if !strings.HasPrefix(line, `{"v":1,"type":"evidence_checked",`) {
			t.Fatalf("not a verdict: %s", line)
		}
		lines++
	}
	if lines != 134 {
		t.Errorf("%d verdicts, want 134", lines)
	}
	if !strings.Contains(p.stderr.String(), "134 answers") {
		t.Error("no summary on stderr")
	}
}

func TestDemoGoesOnListening(t *testing.T) {
	p := start(t, "--demo", "--pace=0s")
	url := await(t, &p.stdout, `Still listening on (nats://\S+)\.`)
	payload := regexp.MustCompile(`(?s)'(\{.*\})'`).FindStringSubmatch(p.stdout.String())
	if payload == nil {
		t.Fatal("the screen shows no event to publish")
	}
	publish(t, url, "agent.events.me.mine.first", []byte(payload[1]))
	await(t, &p.stdout, `mine/first +turn 1 +48213 stands in no result +"Parcel 48213 is on its way."`)
	publish(t, url, "agent.events.me.mine.first", []byte(`{"v":1}`))
	await(t, &p.stdout, `x message \d+ could not be read`)
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
}
