package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// marker stands in every field of the traffic but the names, and nowhere in what the program says; name stands in the names.
const (
	marker = "MARKER4711"
	name   = "NAMED4712"
)

// hostile is traffic with the markers in its names, its values, its headers and the names of its fields. Verdicts of it hold
// unsupported, near, carried and declared values with the marker.
func hostile() (messages []*nats.Msg) {
	c := event.Conversation{Tenant: name, Agent: name, ID: name}
	add := func(subject string, header nats.Header, payload string) {
		payload = strings.NewReplacer("$", marker, "@", name).Replace(payload)
		messages = append(messages, &nats.Msg{Subject: subject, Header: header, Data: []byte(payload)})
	}
	own := event.Subjects{}.Event(c)
	const common = `"v":1,"id":"$","time":"$","tenant":"@","agent":"@","conversation":"@","turn":1`
	for _, payload := range []string{
		`{` + common + `,"type":"tool_end","call":{"id":"@","tool":"@","iteration":1,"args":{"$":"$"}},"result":{"$":"$"},"error":"$","status":"$",` +
			`"script":{"program":"$","language":"$","label":"failed"},"door":{"absent":true,"bounded":true},"modelResult":"$"}`,
		`{` + common + `,"type":"tool_end","call":{"id":"` + strings.Repeat("@", 400) + `","tool":"@","iteration":1},"result":{"absent":{"checked":[{"what":"$"}]}},"door":{"absent":true,"bounded":true}}`,
		`{` + common + `,"type":"tool_end","call":{"id":"@2","tool":"@","iteration":1},"result":{"af_coverage":{"checked":[{"what":"$"}],` +
			`"not_checked":[{"what":"$","why":"$"}],"period":{"asked":{"from":"$"}}},"result":{"af_absent":true,"looked_for":"$","checked":["$"]}}}`,
		`{` + common + `,"type":"tool_end","call":{"id":"@3","tool":"@","iteration":1},"result":{"$-1":"$-7","rows_at_$":[],"has_more":"$"},` +
			`"script":{"program":"$","label":"$"}}`,
		`{` + common + `,"type":"answer","iteration":1,"text":"$ 48213 $","user":"$","context":["$"],"calls":["@"]}`,
		`{` + common + `,"type":"answer","iteration":2,"text":"it is $-7, not $-8 or 4711-$ ` + "\\n```sh\\n$\\n```" + `","user":"so?","context":[]}`,
		`{` + common + `,"type":"answer","iteration":1,"text":"$ 48214 $"}`,
		`{` + common + `,"type":"$"}`, `{` + common + `,"type":"answer","iteration":"$","text":"$"}`, `{` + common + `,"$":{"$":["$"`,
		`{"v":"$","type":"answer"}`, `{"v":2,"type":"$"}`, `$`, `"$"`, `{"$":$}`, strings.Repeat(`{"$":`, 9000), "\xff$", `{` + common + `,"type":"turn_start","user":{"$":1}}`,
	} {
		add(own, nil, payload)
		add(own, nats.Header{"Content-Type": {"application/msgpack"}, marker: {marker}}, payload)
	}
	add(own, nats.Header{"Content-Type": {marker}}, `{}`)
	add(own, nats.Header{"Content-Type": {"application/json; charset=" + marker}}, `{}`)
	add("agent.events."+name, nil, `$`)
	add("agent.events.other."+name+".c", nil, `{`+common+`,"type":"answer","iteration":1,"text":"$"}`)
	return messages
}

// TestSaysNothingOfWhatWasSaid runs hostile traffic through the program: neither its log, nor its metrics, nor the reason
// and the detail of a dead letter hold anything of a payload, a name or a header. A letter's body does, by contract.
func TestSaysNothingOfWhatWasSaid(t *testing.T) {
	p := start(t, "--store-dir", t.TempDir(), "--port=0", "--http=127.0.0.1:0", "--grace=0s", "--metric-names=0")
	js := connect(t, await(t, &p.stderr, `msg=ready server=(\S+)`))
	health := "http://" + await(t, &p.stderr, `address=(\S+)`)
	messages := hostile()
	for _, m := range messages {
		if _, err := js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	awaitFinished(t, js)
	status, metrics := get(t, health+"/metrics")
	if status != http.StatusOK || strings.Contains(metrics, marker) || strings.Contains(metrics, name) {
		t.Errorf("/metrics: status %d, or it holds what was said", status)
	}
	reasons := map[string]bool{}
	err := jet.ReadAll(t.Context(), js, jet.DeadStream, "", func(m pipeline.Message) error {
		h := nats.Header(m.Header)
		reasons[h.Get(jet.HeaderReason)] = true
		if said := m.Subject + h.Get(jet.HeaderReason) + h.Get(jet.HeaderDetail); strings.Contains(said, marker) || strings.Contains(said, name) {
			t.Errorf("a dead letter says %q", said)
		}
		return nil
	})
	if err != nil || len(reasons) < 8 {
		t.Errorf("%d reasons were tried: %v, %v", len(reasons), reasons, err)
	}
	for reason := range reasons {
		if !strings.Contains(metrics, fmt.Sprintf(`plumbline_dead_letters_total{reason=%q}`, reason)) {
			t.Errorf("/metrics does not count %s", reason)
		}
	}
	p.stop()
	p.end(t)
	if said := p.stderr.String() + p.stdout.String(); strings.Contains(said, marker) || strings.Contains(said, name) {
		t.Error("the log holds what was said")
	}
}

// TestEveryReasonIsCountedFromTheStart reads the metrics of a program that has read nothing.
func TestEveryReasonIsCountedFromTheStart(t *testing.T) {
	p := start(t, "--store-dir", t.TempDir(), "--port=0", "--http=127.0.0.1:0")
	await(t, &p.stderr, "msg=ready")
	_, metrics := get(t, "http://"+await(t, &p.stderr, `address=(\S+)`)+"/metrics")
	for _, reason := range pipeline.Reasons {
		if !strings.Contains(metrics, fmt.Sprintf("plumbline_dead_letters_total{reason=%q} 0\n", reason)) {
			t.Errorf("/metrics lacks %s", reason)
		}
	}
	p.stop()
	p.end(t)
}
