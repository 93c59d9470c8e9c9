package check

import (
	"encoding/json"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"sigs.k8s.io/yaml"
)

// promql parses queries as Prometheus does.
var promql = parser.NewParser(parser.Options{})

// readPrometheusConfig loads it as Prometheus does, and holds whom it asks against compose.yaml.
func readPrometheusConfig(t *testing.T, file string) {
	c, err := config.Load(string(content(t, file)), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	services := project(t).Services
	for _, scrape := range c.ScrapeConfigs {
		if scrape.MetricsPath != "/metrics" {
			t.Errorf("%s asks for %s", scrape.JobName, scrape.MetricsPath)
		}
	}
	var raw struct {
		ScrapeConfigs []struct {
			StaticConfigs []struct {
				Targets []string `json:"targets"`
			} `json:"static_configs"`
		} `json:"scrape_configs"`
	}
	if err := yaml.Unmarshal(content(t, file), &raw); err != nil {
		t.Fatal(err)
	}
	for _, target := range raw.ScrapeConfigs[0].StaticConfigs[0].Targets {
		host, port, _ := strings.Cut(target, ":")
		if s, ok := services[host]; !ok || environment(s)["PLUMBLINE_HTTP"] != ":"+port {
			t.Errorf("%s: no service of compose.yaml answers there", target)
		}
	}
}

// alerts reads a file of rules as Prometheus does.
func alerts(t *testing.T, file string) []rulefmt.Rule {
	t.Helper()
	groups, errs := rulefmt.Parse(content(t, file), false, model.UTF8Validation, promql, slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Error(err)
	}
	if groups == nil {
		t.FailNow()
	}
	var rules []rulefmt.Rule
	for _, g := range groups.Groups {
		rules = append(rules, g.Rules...)
	}
	return rules
}

// readAlerts holds that each alert says what it means, and leads to a section of the runbook that is there.
func readAlerts(t *testing.T, file string) {
	for _, r := range alerts(t, file) {
		if r.Alert == "" {
			continue
		}
		page, anchor, _ := strings.Cut(r.Annotations["runbook_url"], "#")
		if !strings.HasSuffix(page, "docs/runbook.md") || !anchors(t, "docs/runbook.md")[anchor] {
			t.Errorf("%s: runbook_url %q leads to no section", r.Alert, r.Annotations["runbook_url"])
		}
		if r.Annotations["summary"] == "" || r.Labels["severity"] == "" {
			t.Errorf("%s has no summary or no severity", r.Alert)
		}
	}
}

// readDashboard reads a dashboard with Grafana's own types, and every query of it with Prometheus' parser.
func readDashboard(t *testing.T, file string) {
	var d dashboard.Dashboard //nolint:staticcheck // the classic form is what every Grafana since 8 loads from a file
	if err := json.Unmarshal(content(t, file), &d); err != nil {
		t.Fatal(err)
	}
	if d.Uid == nil || *d.Uid == "" || d.Title == nil || len(d.Panels) == 0 {
		t.Error("a dashboard has a uid, a title and panels")
	}
	queries := dashboardQueries(t, file)
	if len(queries) == 0 {
		t.Error("no panel asks anything")
	}
	for _, query := range queries {
		if _, err := promql.ParseExpr(query); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// dashboardQueries are the queries of a dashboard, with Grafana's variables for durations filled in.
func dashboardQueries(t *testing.T, file string) []string {
	t.Helper()
	var whole map[string]any
	if err := json.Unmarshal(content(t, file), &whole); err != nil {
		t.Fatal(err)
	}
	var queries []string
	collectQueries(whole, &queries)
	return queries
}

var (
	durationVariable = regexp.MustCompile(`\$\{?__(rate_interval|interval|range)\}?`)
	namesQuery       = regexp.MustCompile(`^label_values\((.*), *\w+\)$`)
)

func collectQueries(v any, queries *[]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if text, ok := inner.(string); ok && text != "" && (key == "expr" || key == "definition") {
				text = durationVariable.ReplaceAllString(text, "5m")
				if match := namesQuery.FindStringSubmatch(text); match != nil {
					text = match[1]
				}
				*queries = append(*queries, text)
				continue
			}
			collectQueries(inner, queries)
		}
	case []any:
		for _, inner := range v {
			collectQueries(inner, queries)
		}
	}
}

// metricsOf are the metrics that a query asks for.
func metricsOf(t *testing.T, query string) []string {
	t.Helper()
	parsed, err := promql.ParseExpr(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var names []string
	for _, matchers := range parser.ExtractSelectors(parsed) {
		for _, m := range matchers {
			if m.Name == model.MetricNameLabel {
				names = append(names, m.Value)
			}
		}
	}
	return names
}

// readProvisioning reads what Grafana is given at its start. Grafana keeps its readers of it to itself; an unknown field
// is an error here, while Grafana passes it over.
func readProvisioning(t *testing.T, file string) {
	var said struct {
		APIVersion  int `json:"apiVersion"`
		Datasources []struct {
			Name, UID, Type, Access, URL string
			IsDefault                    bool           `json:"isDefault"`
			JSONData                     map[string]any `json:"jsonData"`
		} `json:"datasources"`
		Providers []struct {
			Name, Type     string
			AllowUIUpdates bool `json:"allowUiUpdates"`
			Options        struct{ Path string }
		} `json:"providers"`
	}
	if err := yaml.UnmarshalStrict(content(t, file), &said); err != nil {
		t.Fatal(err)
	}
	grafana := project(t).Services["grafana"]
	for _, p := range said.Providers {
		found := false
		for _, v := range grafana.Volumes {
			found = found || v.Target == p.Options.Path
		}
		if !found {
			t.Errorf("nothing is mounted at %s", p.Options.Path)
		}
	}
	for _, d := range said.Datasources {
		if d.URL != "http://prometheus:9090" || d.UID == "" {
			t.Errorf("source %s: %s", d.UID, d.URL)
		}
	}
	if len(said.Providers)+len(said.Datasources) == 0 {
		t.Error("it provides nothing")
	}
}
