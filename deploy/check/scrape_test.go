package check

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/teststorage"
)

const (
	dashboardFile = "grafana/dashboards/plumbline.json"
	alertsFile    = "prometheus/alerts.yml"
)

// silent are the metrics that the demo's conversations give no series of: nothing fails in it, its tools declare nothing,
// no call is made twice, and no runtime's envelopes are in it.
var silent = []string{
	"plumbline_retries_total", "plumbline_coverage_declared_total", "plumbline_identical_retries_total",
	"plumbline_envelopes_passed_over_total",
}

// scraped is what a real consumer serves after it judged the demo's conversations.
type scraped map[string]*dto.MetricFamily

// scrape runs the consumer with the demo's conversations and reads /metrics once all are judged.
func scrape(t *testing.T) scraped {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	consumer := exec.Command(program(t, "consumer"), "--demo", "--pace=0s", "--http="+address)
	consumer.Stderr = os.Stderr
	if err := consumer.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		consumer.Process.Signal(os.Interrupt)
		consumer.Wait()
	})
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if s := ask(t, "http://"+address+"/metrics"); s != nil && s.judged() {
			return s
		}
	}
	t.Fatal("the demo's answers were not judged within a minute")
	return nil
}

// ask reads the metrics; nil while nobody answers.
func ask(t *testing.T, url string) scraped {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	return parseMetrics(t, response.Body)
}

func parseMetrics(t *testing.T, text io.Reader) scraped {
	t.Helper()
	reader := expfmt.NewTextParser(model.UTF8Validation)
	families, err := reader.TextToMetricFamilies(text)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// judged tells whether every answer has its verdict, and the consumer knows that no event waits.
func (s scraped) judged() bool {
	const answers = 134 // of the demo
	decided, waiting := s["plumbline_decision_duration_seconds"], s["plumbline_events_waiting"]
	return decided != nil && decided.Metric[0].Histogram.GetSampleCount() == answers &&
		waiting != nil && waiting.Metric[0].Gauge.GetValue() == 0
}

// end is when the scraped values were reached, and past for how long they had been growing.
var (
	end  = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	past = 90 * time.Minute
)

// stored puts the values into Prometheus' own storage, as if they had grown evenly up to what was scraped.
func (s scraped) stored(t *testing.T) storage.Queryable {
	t.Helper()
	into := teststorage.New(t)
	const steps = 180
	for step := range steps + 1 {
		at := end.Add(-past + past*time.Duration(step)/steps)
		app := into.Appender(t.Context())
		for _, family := range s {
			samples, err := expfmt.ExtractSamples(&expfmt.DecodeOptions{Timestamp: model.TimeFromUnixNano(at.UnixNano())}, family)
			if err != nil {
				t.Fatal(err)
			}
			for _, sample := range samples {
				value := float64(sample.Value)
				if family.GetType() != dto.MetricType_GAUGE {
					value *= float64(step) / steps
				}
				if _, err := app.Append(0, seriesOf(sample.Metric), at.UnixMilli(), value); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := app.Append(0, seriesOf(model.Metric{model.MetricNameLabel: "up"}), at.UnixMilli(), 1); err != nil {
			t.Fatal(err)
		}
		if err := app.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return into
}

// seriesOf is a metric with the labels that Prometheus adds.
func seriesOf(m model.Metric) labels.Labels {
	b := labels.NewScratchBuilder(len(m) + 2)
	for name, value := range m {
		b.Add(string(name), string(value))
	}
	b.Add("job", "plumbline")
	b.Add("instance", "consumer-1:8080")
	b.Sort()
	return b.Labels()
}

// TestQueriesOverARealScrape asks every query of the dashboard and of the alerts of what a real consumer serves: each
// names only metrics and labels that are there, each panel shows something, and no alert is on.
func TestQueriesOverARealScrape(t *testing.T) {
	s := scrape(t)
	known := s.described(t)
	data := s.stored(t)
	engine := promqltest.NewTestEngine(t, false, 0, 1_000_000)
	count := func(query string) int {
		q, err := engine.NewInstantQuery(t.Context(), data, nil, query, end)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		defer q.Close()
		vector, err := q.Exec(t.Context()).Vector()
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return len(vector)
	}
	for _, query := range dashboardQueries(t, dashboardFile) {
		query = variable.ReplaceAllString(query, ".*")
		known.hold(t, query)
		if count(query) == 0 && !mayBeSilent(t, query) {
			t.Errorf("a panel would be empty: %s", query)
		}
	}
	for _, rule := range alerts(t, alertsFile) {
		known.hold(t, rule.Expr)
		if count(rule.Expr) > 0 {
			t.Errorf("%s is on, and all is well: %s", rule.Alert, rule.Expr)
		}
	}
}

// variable is one of Grafana's, in the value of a matcher.
var variable = regexp.MustCompile(`\$\w+`)

// mayBeSilent tells whether the query asks only for what the demo has none of, or for nothing but faults.
func mayBeSilent(t *testing.T, query string) bool {
	return strings.HasSuffix(query, "> 0") || strings.Contains(query, `reading="declared-absent"`) ||
		!slices.ContainsFunc(metricsOf(t, query), func(name string) bool { return !slices.Contains(silent, name) })
}

// vocabulary is the labels of every metric.
type vocabulary map[string][]string

// described is what docs/metrics.md says of the consumer's own metrics, which a test of the consumer holds against its
// registry, and what was scraped of others. Of its own, all but the silent ones were scraped, and with these labels.
func (s scraped) described(t *testing.T) vocabulary {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs/metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := vocabulary{"up": nil}
	word := regexp.MustCompile("[a-z]+")
	for _, row := range regexp.MustCompile("(?m)^\\| `(plumbline_[a-z_]+)` \\|([^|]*)\\|").FindAllStringSubmatch(string(page), -1) {
		known[row[1]] = word.FindAllString(row[2], -1)
		if s[row[1]] == nil && !slices.Contains(silent, row[1]) {
			t.Errorf("%s is described, and was not scraped", row[1])
		}
	}
	for name, family := range s {
		var found []string
		for _, pair := range family.Metric[0].Label {
			found = append(found, pair.GetName())
		}
		if strings.HasPrefix(name, "plumbline_") && !slices.Equal(found, known[name]) {
			t.Errorf("%s has the labels %q, and is described with %q", name, found, known[name])
		}
		known[name] = found
		if family.GetType() == dto.MetricType_HISTOGRAM {
			known[name+"_bucket"] = append(slices.Clone(found), "le")
			known[name+"_count"], known[name+"_sum"] = found, found
		}
	}
	return known
}

// hold fails for each metric and each label of the query that is not known.
func (v vocabulary) hold(t *testing.T, query string) {
	t.Helper()
	parsed, err := promql.ParseExpr(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	parser.Inspect(parsed, func(n parser.Node, _ []parser.Node) error {
		switch n := n.(type) {
		case *parser.VectorSelector:
			for _, m := range n.LabelMatchers {
				v.holdLabel(t, query, n, m.Name)
			}
		case *parser.AggregateExpr:
			v.holdLabels(t, query, n.Expr, n.Grouping)
		case *parser.BinaryExpr:
			if n.VectorMatching != nil {
				v.holdLabels(t, query, n.LHS, n.VectorMatching.MatchingLabels)
				v.holdLabels(t, query, n.RHS, n.VectorMatching.MatchingLabels)
			}
		}
		return nil
	})
}

// holdLabels holds that everything that is asked for in a part of a query has the labels.
func (v vocabulary) holdLabels(t *testing.T, query string, part parser.Node, names []string) {
	t.Helper()
	parser.Inspect(part, func(n parser.Node, _ []parser.Node) error {
		if selector, ok := n.(*parser.VectorSelector); ok {
			for _, name := range names {
				v.holdLabel(t, query, selector, name)
			}
		}
		return nil
	})
}

func (v vocabulary) holdLabel(t *testing.T, query string, of *parser.VectorSelector, label string) {
	t.Helper()
	names, ok := v[of.Name]
	if !ok {
		t.Errorf("nothing serves %s: %s", of.Name, query)
	} else if !slices.Contains(append([]string{"job", "instance", model.MetricNameLabel}, names...), label) {
		t.Errorf("%s has no label %s: %s", of.Name, label, query)
	}
}

// TestTheVocabularyRefuses holds that the check above can fail.
func TestTheVocabularyRefuses(t *testing.T) {
	known := vocabulary{"a": {"x"}, "b": nil}
	for _, query := range []string{"c", "a{y='1'}", "sum by (x) (b)", "a / on (x) b", "sum by (y) (rate(a[5m]))"} {
		if !fails(func(t *testing.T) { known.hold(t, query) }) {
			t.Errorf("%s passes", query)
		}
	}
	if fails(func(t *testing.T) { known.hold(t, "sum by (x, job) (rate(a{x='1'}[5m]))") }) {
		t.Error("a query of what is known fails")
	}
}

// fails tells whether a check reports something.
func fails(check func(t *testing.T)) bool {
	var t testing.T
	check(&t)
	return t.Failed()
}

// TestADescriptionThatIsNotServed holds the same of a page and a scrape that differ.
func TestADescriptionThatIsNotServed(t *testing.T) {
	s := parseMetrics(t, strings.NewReader(fmt.Sprintf("# TYPE %[1]s gauge\n%[1]s{colour=\"red\"} 1\n", "plumbline_ready")))
	if !fails(func(t *testing.T) { s.described(t) }) {
		t.Error("a label that nobody described passes")
	}
}
