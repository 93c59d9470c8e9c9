package check

import (
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/rules"
)

// firing says, for each alert, over which series it comes on and over which it does not. Series are in the notation of
// Prometheus' own tests, a value each minute: 0+10x60 grows by ten for an hour.
var firing = map[string]struct{ on, off string }{
	"PlumblineGone": {`plumbline_ready 1+0x60`, `plumbline_build_info 1+0x60`},
	"PlumblineDown": {
		`up{job="p",instance="a"} 1+0x50 0+0x10
		plumbline_build_info{job="p",instance="a"} 1+0x50`,
		`up{job="p",instance="a"} 1+0x60
		up{job="other",instance="b"} 0+0x60
		plumbline_build_info{job="p",instance="a"} 1+0x60`,
	},
	"PlumblineNotReady":      {`plumbline_ready{instance="a"} 1+0x50 0+0x10`, `plumbline_ready{instance="a"} 1+0x57 0 1 0 1`},
	"PlumblinePartitionIdle": {partitions(3), partitions(4)},
	"PlumblineDeadLetters": {
		`plumbline_dead_letters_total{reason="invalid"} 0+0x55 3+0x5`, `plumbline_dead_letters_total{reason="invalid"} 0+0x20 3+0x40`,
	},
	"PlumblineVerdictConflict": {
		`plumbline_dead_letters_total{reason="verdict_conflict"} 0+0x55 1+0x5`, `plumbline_dead_letters_total{reason="invalid"} 0+0x55 3+0x5`,
	},
	"PlumblineReaderFailed": {
		`plumbline_dead_letters_total{reason="reader_failed"} 0+0x55 1+0x5`, `plumbline_dead_letters_total{reason="invalid"} 0+0x55 3+0x5`,
	},
	"PlumblineRetries": {`plumbline_retries_total{doing="publish a verdict"} 0+30x60`, `plumbline_retries_total{doing="publish a verdict"} 0+0x55 20+0x5`},
	"PlumblineEnginesDiffer": {
		`plumbline_build_info{instance="a",engine="1"} 1+0x90
		plumbline_build_info{instance="b",engine="2"} 1+0x90`,
		`plumbline_build_info{instance="a",engine="1"} 1+0x90
		plumbline_build_info{instance="b",engine="1"} 1+0x90`,
	},
	"PlumblinePoliciesDiffer": {
		`plumbline_policy_info{instance="a",digest="1"} 1+0x60
		plumbline_policy_info{instance="b",digest="2"} 1+0x60`,
		`plumbline_policy_info{instance="a",digest="1"} 1+0x60
		plumbline_policy_info{instance="b",digest="1"} 1+0x60`,
	},
	"PlumblinePolicyRefused": {`plumbline_policy_refused{instance="a"} 0+0x50 1+0x10`, `plumbline_policy_refused{instance="a"} 0+0x60`},
	"PlumblineTelemetryLost": {
		`plumbline_telemetry_lost_total{signal="logs",why="not_received"} 0+1x60`, `plumbline_telemetry_lost_total{signal="logs",why="not_received"} 3+0x60`,
	},
	"PlumblineBehind": {lagging(10_000), lagging(100)},
	"PlumblineSlow":   {deciding(500), deciding(600)},
	"PlumblineCacheSmall": {
		`plumbline_events_total 0+100x60
		plumbline_conversations_rebuilt_total 0+50x60
		plumbline_conversations_evicted_total 0+50x60`,
		`plumbline_events_total 0+100x60
		plumbline_conversations_rebuilt_total 0+50x60
		plumbline_conversations_evicted_total 0+0x60`, // another owner's, read back
	},
	"PlumblineInventions": {inventing("0+1x1380 1400+10x60"), inventing("0+1x1440")},
	"PlumblineToolEmpty": {
		`plumbline_results_total{tool="search",reading="undeclared-empty"} 0+0x1380 0+1x60
		plumbline_results_total{tool="search",reading="non-empty"} 0+10x1440`,
		`plumbline_results_total{tool="search",reading="undeclared-empty"} 0+5x1440
		plumbline_results_total{tool="search",reading="non-empty"} 0+10x1440`,
	},
}

// partitions is two consumers that work on some of four partitions.
func partitions(inHand int) string {
	return fmt.Sprintf("plumbline_stream_partitions{instance=\"a\"} 4+0x60\nplumbline_stream_partitions{instance=\"b\"} 4+0x60\n"+
		"plumbline_partitions{instance=\"a\"} 2+0x60\nplumbline_partitions{instance=\"b\"} %d+0x60", inHand-2)
}

// lagging is a stream of which ten events a second are taken.
func lagging(waiting int) string {
	return fmt.Sprintf("plumbline_events_waiting{partition=\"1\"} %d+0x60\nplumbline_events_total{type=\"answer\"} 0+600x60", waiting)
}

// deciding is ten verdicts a second, so many of 600 within five seconds.
func deciding(fast int) string {
	const bucket = "plumbline_decision_duration_seconds_bucket"
	return fmt.Sprintf("%[1]s{le=\"5\"} 0+%[2]dx60\n%[1]s{le=\"30\"} 0+600x60\n%[1]s{le=\"+Inf\"} 0+600x60", bucket, fast)
}

func inventing(unsupported string) string {
	return `plumbline_verdicts_total{tenant="t",agent="a",outcome="unsupported"} ` + unsupported + "\n" +
		`plumbline_verdicts_total{tenant="t",agent="a",outcome="grounded"} 0+20x1440`
}

// TestAlertsComeOn evaluates each alert minute by minute with Prometheus' own rules, over series that should bring it on
// and over those that should not.
func TestAlertsComeOn(t *testing.T) {
	for _, rule := range alerts(t, alertsFile) {
		cases, ok := firing[rule.Alert]
		if !ok {
			t.Errorf("%s: say in firing_test.go when it comes on", rule.Alert)
			continue
		}
		t.Run(rule.Alert, func(t *testing.T) {
			if on := firesOver(t, rule, cases.on); len(on) == 0 {
				t.Errorf("it does not come on over\n%s", cases.on)
			} else if said := on[0].Annotations.String(); strings.Contains(said, "<error") || strings.Contains(said, "no value") {
				t.Errorf("it says %s", said)
			}
			if len(firesOver(t, rule, cases.off)) > 0 {
				t.Errorf("it comes on over\n%s", cases.off)
			}
		})
	}
}

var repeated = regexp.MustCompile(`x(\d+)$`)

// firesOver gives the alerts that are on after the last value of the series.
func firesOver(t *testing.T, rule rulefmt.Rule, series string) (on []*rules.Alert) {
	t.Helper()
	lines := strings.Split(series, "\n")
	for i := range lines {
		lines[i] = "  " + strings.TrimSpace(lines[i])
	}
	data := promqltest.LoadedStorage(t, "load 1m\n"+strings.Join(lines, "\n"))
	expr, err := promql.ParseExpr(rule.Expr)
	if err != nil {
		t.Fatal(err)
	}
	alerting := rules.NewAlertingRule(rule.Alert, expr, time.Duration(rule.For), time.Duration(rule.KeepFiringFor),
		labels.FromMap(rule.Labels), labels.FromMap(rule.Annotations), labels.EmptyLabels(), "", true, slog.New(slog.DiscardHandler))
	query := rules.EngineQueryFunc(promqltest.NewTestEngine(t, false, 0, 1_000_000), data)
	last := minutes(t, lines[0])
	for minute := max(0, last-int(time.Duration(rule.For)/time.Minute)-5); minute <= last; minute++ {
		if _, err := alerting.Eval(t.Context(), 0, time.Unix(int64(minute)*60, 0), query, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return slices.DeleteFunc(alerting.ActiveAlerts(), func(a *rules.Alert) bool { return a.State != rules.StateFiring })
}

// minutes is when the last value of a line of series stands.
func minutes(t *testing.T, line string) int {
	t.Helper()
	last := -1
	for _, field := range strings.Fields(line)[1:] {
		last++
		if match := repeated.FindStringSubmatch(field); match != nil {
			more, err := strconv.Atoi(match[1])
			if err != nil {
				t.Fatal(err)
			}
			last += more
		}
	}
	return last
}
