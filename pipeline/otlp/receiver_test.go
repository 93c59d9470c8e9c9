package otlp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"go.uber.org/goleak"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/otlp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// store is a Publisher that keeps events, each id once, as a stream does.
type store struct {
	mu     sync.Mutex
	events []event.Event
	ids    map[string]bool
	fail   int // so many calls fail
	most   int // events in one call
}

var errDown = errors.New("down")

func (s *store) Publish(_ context.Context, events []event.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most = max(s.most, len(events))
	for i, e := range events {
		if s.fail > 0 && i == len(events)/2 { // half of them are stored
			s.fail--
			return errDown
		}
		if s.ids == nil {
			s.ids = map[string]bool{}
		}
		if !s.ids[e.ID] {
			s.ids[e.ID] = true
			s.events = append(s.events, e)
		}
	}
	return nil
}

func (s *store) LastTurn(_ context.Context, c event.Conversation) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := 0
	for _, e := range s.events {
		if e.Conversation == c {
			last = max(last, e.Turn)
		}
	}
	return last, nil
}

// gist is what was stored, an event a word.
func (s *store) gist() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var words []string
	for _, e := range s.events {
		word := fmt.Sprintf("%s%d", e.Kind(), e.Turn)
		if e.Answer != nil {
			word += fmt.Sprintf("%v%v", e.Answer.Calls, e.Answer.Unseen)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func receiver(t *testing.T, c otlp.Config) *otlp.Receiver {
	t.Helper()
	r, err := otlp.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// batches are the export requests of the bundled record: the first two are of one trace, whose root is in the second.
func batches(t *testing.T) []string {
	t.Helper()
	file, err := os.ReadFile("../../schemas/adapter/otlp/testdata/opentelemetry.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(file)), "\n")
}

func send(t *testing.T, r http.Handler, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, otlp.Path, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	for _, c := range change {
		c(req)
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	return w
}

const turnOne = "turn_start1 tool_end1 tool_end1 answer1[call_VSPygqKTWdrhaFErNvMV18Yl call_9J3uIL87gldCFtiIbyaOvTeY][]"

// A trace is given when its root came, and its events are stored when the request is answered.
func TestGivenWithTheRoot(t *testing.T) {
	s := &store{}
	r := receiver(t, otlp.Config{Publisher: s})
	b := batches(t)
	for i, want := range []string{"", turnOne, turnOne + " turn_start2 answer2[][]"} {
		if w := send(t, r, b[i]); w.Code != http.StatusOK || w.Body.String() != "{}" {
			t.Fatalf("batch %d: %d %s", i, w.Code, w.Body)
		}
		if got := s.gist(); got != want {
			t.Fatalf("after batch %d:\n%s\nwant\n%s", i, got, want)
		}
	}
	if c := s.events[0].Conversation; c != (event.Conversation{Tenant: "default", Agent: "desk", ID: "conv_5j66UpCpwteGg4YSxUnt7lPY"}) {
		t.Errorf("conversation %+v", c)
	}
}

// What is sent again, whatever of it was stored, changes nothing.
func TestSentAgain(t *testing.T) {
	s := &store{}
	r := receiver(t, otlp.Config{Publisher: s})
	b := batches(t)
	send(t, r, b[0])
	s.fail = 2
	for range 2 {
		if w := send(t, r, b[1]); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Fatalf("a store that is down: %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
		}
	}
	for range 3 {
		if w := send(t, r, b[1]); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if got := s.gist(); got != turnOne {
		t.Errorf("stored\n%s\nwant\n%s", got, turnOne)
	}
}

// While the store is down nothing gathers, however often a request is sent again.
func TestNothingGathersWhileTheStoreIsDown(t *testing.T) {
	s := &store{fail: 20}
	r := receiver(t, otlp.Config{Publisher: s})
	b := batches(t)
	for range 22 {
		send(t, r, b[0])
		send(t, r, b[1])
	}
	if got := s.gist(); got != turnOne || s.most > 4 {
		t.Errorf("%d events in one call, stored\n%s\nwant\n%s", s.most, got, turnOne)
	}
}

// Another receiver, or this one after a restart, goes on with the number that the stream knows.
func TestNumbersGoOn(t *testing.T) {
	s := &store{}
	b := batches(t)
	first := receiver(t, otlp.Config{Publisher: s})
	send(t, first, b[0])
	send(t, first, b[1])
	send(t, receiver(t, otlp.Config{Publisher: s}), b[2])
	if got, want := s.gist(), turnOne+" turn_start2 answer2[][]"; got != want {
		t.Errorf("stored\n%s\nwant\n%s", got, want)
	}
}

// A trace without its root is given when no span of it came for a while; a span that comes later is read with the others.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &store{}
		r := receiver(t, otlp.Config{Publisher: s, Idle: 4 * time.Second})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- r.Run(ctx) }()
		b := batches(t)
		late, _, _ := strings.Cut(b[1], `},{"traceId"`) // the second tool call's span
		late += "}]}]}]}"
		send(t, r, b[0])
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if got := s.gist(); got != "" {
			t.Fatalf("given too early: %s", got)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if got := s.gist(); got != "turn_start1 tool_end1" {
			t.Fatalf("after the wait: %s", got)
		}
		send(t, r, late)
		if got := s.gist(); got != "turn_start1 tool_end1 tool_end1" {
			t.Errorf("with the late span: %s", got)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A stop gives what is held.
func TestStopGivesWhatIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &store{}
		r := receiver(t, otlp.Config{Publisher: s, Idle: time.Hour})
		send(t, r, batches(t)[0])
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := r.Run(ctx); err != nil || s.gist() != "turn_start1 tool_end1" {
			t.Errorf("%v, stored %s", err, s.gist())
		}
	})
}

// Memory is bounded: the oldest trace is given up, and no answer in it is accused.
func TestGivesUpTheOldest(t *testing.T) {
	s := &store{}
	now := time.Unix(0, 0)
	r := receiver(t, otlp.Config{Publisher: s, MaxBytes: 10_000, Now: func() time.Time { now = now.Add(time.Second); return now }})
	orphan := strings.Replace(batches(t)[2], `"name":"invoke_agent desk"`, `"parentSpanId":"00f067aa0ba902b7","name":"invoke_agent desk"`, 1)
	send(t, r, orphan)
	if got := s.gist(); got != "" {
		t.Fatalf("given before its root: %s", got)
	}
	for range 3 {
		send(t, r, renamed(batches(t)[0], int(now.Unix())))
	}
	if got := s.gist(); !strings.Contains(got, "[rows_missing]") {
		t.Errorf("stored %s, want an answer that says that rows are missing", got)
	}
}

// renamed gives a batch another trace id.
func renamed(batch string, n int) string {
	at := strings.Index(batch, `"traceId":"`) + len(`"traceId":"`)
	id := batch[at : at+32]
	return strings.ReplaceAll(batch, id, fmt.Sprintf("%032x", n+1))
}

// What the protocol says of requests: encodings, packing, what is refused and how.
func TestRequests(t *testing.T) {
	b := batches(t)
	half := strings.Replace(b[0], `"spanId":"`, `"spanID":"`, 1) // one span has no id
	traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(b[0]))
	if err != nil {
		t.Fatal(err)
	}
	proto, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(traces)
	if err != nil {
		t.Fatal(err)
	}
	kind := func(of string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Content-Type", of) }
	}
	packing := func(of string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Content-Encoding", of) }
	}
	for _, tt := range []struct {
		name   string
		body   string
		change []func(*http.Request)
		status int
		says   string
	}{
		{"JSON", b[0], nil, 200, "{}"},
		{"JSON with a charset", b[0], []func(*http.Request){kind("application/json; charset=utf-8")}, 200, "{}"},
		{"protobuf", string(proto), []func(*http.Request){kind("application/x-protobuf")}, 200, ""},
		{"gzip", packed(t, b[0]), []func(*http.Request){packing("gzip")}, 200, "{}"},
		{"nothing", `{"resourceSpans":[]}`, nil, 200, "{}"},
		{"a span without an id", half, nil, 200, `"rejectedSpans":"1"`},
		{"text", b[0], []func(*http.Request){kind("text/plain")}, 415, "want application/x-protobuf or application/json"},
		{"another packing", b[0], []func(*http.Request){packing("zstd")}, 415, "want gzip or none"},
		{"no JSON", "{", nil, 400, "not JSON"},
		{"no protobuf", "\xff\xff", []func(*http.Request){kind("application/x-protobuf")}, 400, "not an export of spans"},
		{"no gzip", b[0], []func(*http.Request){packing("gzip")}, 400, "not gzip"},
		{"cut gzip", packed(t, b[0])[:200], []func(*http.Request){packing("gzip")}, 400, "ends too early"},
		{"too large", `{"x":"` + strings.Repeat("a", 60_000) + `"}`, nil, 413, "larger than 50000 bytes"},
		{"a bomb", packed(t, strings.Repeat("a", 1<<20)), []func(*http.Request){packing("gzip")}, 413, "larger than 50000 bytes"},
		{"GET", "", []func(*http.Request){func(r *http.Request) { r.Method = http.MethodGet }}, 405, "POST"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := receiver(t, otlp.Config{Publisher: &store{}, MaxBody: 50_000})
			w := send(t, r, tt.body, tt.change...)
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) {
				t.Errorf("%d %q, want %d %q", w.Code, w.Body, tt.status, tt.says)
			}
		})
	}
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The response that is written by hand is the protocol's.
func TestResponseIsTheProtocols(t *testing.T) {
	half := strings.Replace(batches(t)[0], `"spanId":"`, `"spanID":"`, 1)
	traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(half))
	if err != nil {
		t.Fatal(err)
	}
	proto, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(traces)
	if err != nil {
		t.Fatal(err)
	}
	r := receiver(t, otlp.Config{Publisher: &store{}})
	for _, tt := range []struct {
		kind, body string
		read       func(ptraceotlp.ExportResponse, []byte) error
	}{
		{"application/x-protobuf", string(proto), ptraceotlp.ExportResponse.UnmarshalProto},
		{"application/json", half, ptraceotlp.ExportResponse.UnmarshalJSON},
	} {
		w := send(t, r, tt.body, func(r *http.Request) { r.Header.Set("Content-Type", tt.kind) })
		response := ptraceotlp.NewExportResponse()
		if err := tt.read(response, w.Body.Bytes()); err != nil || w.Header().Get("Content-Type") != tt.kind {
			t.Fatalf("%s: %v", tt.kind, err)
		}
		if p := response.PartialSuccess(); p.RejectedSpans() != 1 || !strings.Contains(p.ErrorMessage(), "is missing") {
			t.Errorf("%s: %d spans refused, %q", tt.kind, p.RejectedSpans(), p.ErrorMessage())
		}
	}
}

// An event that is larger than the stream takes is cut, and says so; it never stops what follows.
func TestTooLargeEvents(t *testing.T) {
	s := &store{}
	r := receiver(t, otlp.Config{Publisher: s, MaxEvent: 2000})
	long := strings.Repeat("é", 3000)
	b := strings.ReplaceAll(batches(t)[1], "ZX-990172", long)
	send(t, r, strings.ReplaceAll(batches(t)[0], "ZX-990172", long))
	if w := send(t, r, b); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for _, e := range s.events {
		if e.ToolEnd != nil && e.ToolEnd.Call.Iteration == 1 && !strings.HasPrefix(string(e.ToolEnd.Result), `{"truncated":true,`) {
			t.Errorf("the long result is %.60s", e.ToolEnd.Result)
		}
	}
	if len(s.events) < 3 {
		t.Errorf("stored %s", s.gist())
	}
}

// A conversation whose name no subject can hold is left out: what follows is stored.
func TestNamesTooLongForASubject(t *testing.T) {
	s := &store{}
	r := receiver(t, otlp.Config{Publisher: s})
	b := batches(t)
	long := strings.ReplaceAll(strings.Join([]string{b[0], b[1]}, "\n"), "conv_5j66UpCpwteGg4YSxUnt7lPY", strings.Repeat("c", event.MaxSubject))
	for _, body := range append(strings.Split(renamed(long, 7), "\n"), b[0], b[1]) {
		if w := send(t, r, body); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if got := s.gist(); got != turnOne {
		t.Errorf("stored\n%s\nwant\n%s", got, turnOne)
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []otlp.Config{{}, {Publisher: &store{}, Idle: -1}, {Publisher: &store{}, MaxBody: -1}} {
		if _, err := otlp.New(c); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}
