package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/policy"
)

// policyAt is a policy file that a test changes.
type policyAt struct {
	t    *testing.T
	path string
}

func newPolicyAt(t *testing.T, text string) policyAt {
	p := policyAt{t, filepath.Join(t.TempDir(), "policy.yaml")}
	p.write(text)
	return p
}

func (p policyAt) write(text string) {
	p.t.Helper()
	if err := os.WriteFile(p.path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// change writes the file and asks this process, which is the consumer as well, to read it.
func (p policyAt) change(text string) {
	p.t.Helper()
	p.write(text)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		p.t.Fatal(err)
	}
	if err := self.Signal(syscall.SIGHUP); err != nil {
		p.t.Fatal(err)
	}
}

// judge publishes an answer and gives the policy that its verdict names, with the outcome.
func judge(t *testing.T, js jetstream.JetStream, turn int) (by, outcome string) {
	t.Helper()
	c := event.Conversation{Tenant: "t", Agent: "a", ID: "c"}
	payload := fmt.Appendf(nil, `{"v":1,"type":"answer","id":"%d","time":"2026-01-05T09:00:00Z","tenant":"t","agent":"a","conversation":"c",`+
		`"turn":%d,"iteration":0,"calls":[],"user":"Where is it?","context":[],"text":"It is in lane 55."}`, turn, turn)
	if _, err := js.Publish(t.Context(), event.Subjects{}.Event(c), payload); err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), jet.AuditStream)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		m, err := stream.GetLastMsgForSubject(t.Context(), event.Subjects{}.Verdict("literal-1", c, turn, 0))
		if err != nil {
			continue
		}
		var said struct{ Policy, Outcome string }
		if err := json.Unmarshal(m.Data, &said); err != nil {
			t.Fatal(err)
		}
		return said.Policy, said.Outcome
	}
	t.Fatalf("turn %d was not judged", turn)
	return "", ""
}

// TestPolicyChangesWhileItRuns changes the file under a running consumer: a good one counts for what comes then, a bad one
// is refused with its reason and changes nothing.
func TestPolicyChangesWhileItRuns(t *testing.T) {
	file := newPolicyAt(t, "ruleset: literal-1\n")
	p := start(t, "--policy", file.path, "--store-dir", t.TempDir(), "--port=0", "--http=127.0.0.1:0")
	js := connect(t, await(t, &p.stderr, `msg=ready server=(\S+)`))
	metrics := "http://" + await(t, &p.stderr, `address=(\S+)`) + "/metrics"
	before, outcome := judge(t, js, 1)
	if outcome != "nothing_asserted" {
		t.Errorf("a number of two digits is %s by the default policy", outcome)
	}

	file.change("ruleset: literal-1\nminDigits: 2\n")
	said := await(t, &p.stderr, `msg="the policy changes.*base_before=(\S+ base_after=\S+)`)
	await(t, &p.stderr, `(?s)took a (partition).*took a partition`)
	after, outcome := judge(t, js, 2)
	if outcome != "unsupported" || said != before+" base_after="+after {
		t.Errorf("then it is %s; verdicts name %s and %s, the log says %s", outcome, before, after, said)
	}

	file.change("ruleset: literal-1\nmin_digits: 3\n")
	if reason := await(t, &p.stderr, `msg="the policy was refused, and the one before stays" reason="([^"]+)`); !strings.Contains(reason, "policy.yaml:2: min_digits") {
		t.Errorf("it was refused because of %s", reason)
	}
	if by, outcome := judge(t, js, 3); by != after || outcome != "unsupported" {
		t.Errorf("after a bad one it is %s by %s", outcome, by)
	}
	holdMetrics(t, metrics, `plumbline_policy_changes_total{result="taken"} 1`, `plumbline_policy_changes_total{result="refused"} 1`,
		"plumbline_policy_refused 1", `plumbline_policy_info{base="`+after)

	file.change("ruleset: literal-1\nminDigits: 2 # as before\n")
	await(t, &p.stderr, `msg="the policy file says what is (in) use"`)
	holdMetrics(t, metrics, `plumbline_policy_changes_total{result="taken"} 1`, "plumbline_policy_refused 0",
		`plumbline_dead_letters_total{reason="verdict_conflict"} 0`)
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
}

func holdMetrics(t *testing.T, url string, lines ...string) {
	t.Helper()
	status, body := get(t, url)
	for _, line := range lines {
		if status != http.StatusOK || !strings.Contains(body, "\n"+line) {
			t.Errorf("/metrics lacks %s", line)
		}
	}
}

// TestPolicyFileIsReadOnceItRests looks at a file that is being changed: what it holds counts once two looks saw the same,
// and is said once.
func TestPolicyFileIsReadOnceItRests(t *testing.T) {
	file := newPolicyAt(t, "minDigits: 4")
	used, err := cli.Rules("", file.path, cli.Values{})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{log: slog.New(slog.DiscardHandler)}
	s.metrics = newMetrics(s.log, &s.state, Config{})
	var adopted []int
	w := &policyWatch{file: policyFile{Path: file.path}, used: used, service: s, adopt: func(rules *policy.Set) {
		adopted = append(adopted, *rules.Base().Policy().Evidence.MinDigits)
	}}
	looks := func(want string) {
		t.Helper()
		w.look(false)
		if got := fmt.Sprint(adopted); got != want {
			t.Errorf("adopted %s, want %s", got, want)
		}
	}
	looks("[]")
	looks("[]") // what is in use
	file.write("minDigits: 1")
	looks("[]")
	file.write("minDigits: 12") // it was half written
	looks("[]")
	looks("[12]")
	looks("[12]")
	file.write("minDigits: x")
	looks("[12]")
	looks("[12]")
	if err := os.Remove(file.path); err != nil {
		t.Fatal(err)
	}
	looks("[12]")
	looks("[12]")
	file.write("minDigits: 7")
	looks("[12]")
	looks("[12 7]")
}
