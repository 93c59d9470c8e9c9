package coverage_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/plumbline-dev/plumbline/core/coverage"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// A tool that found nothing says where it looked. What it mints is its result: serve it as it is.
func ExampleAbsent() {
	result, err := coverage.Absent(coverage.AbsentDeclaration{
		What:        "failed backups of host-103 in the last hour",
		Checked:     []coverage.Item{{What: "the nightly export of the backup server"}},
		NotChecked:  []coverage.Item{{What: "the replica in Lyon", Why: "it did not answer"}},
		CannotCover: []coverage.Item{{What: "backups that run outside the server", Why: "nothing reports them"}},
		TryInstead:  "Ask live_jobs for what runs right now.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := servedjson.Parse(result)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, fact := range coverage.Facts(v) {
		fmt.Println(fact.Kind, string(fact.LookedFor))
		fmt.Println("checked:", string(fact.Checked))
		fmt.Println("not checked:", string(fact.NotChecked))
	}
	// Output:
	// absence "failed backups of host-103 in the last hour"
	// checked: [{"what":"the nightly export of the backup server"}]
	// not checked: [{"what":"the replica in Lyon","why":"it did not answer"}]
}

// A tool that read a store says which time it asked for and which the store holds.
func ExampleCovered() {
	from := time.Date(2031, 9, 26, 9, 0, 0, 0, time.UTC)
	export := time.Date(2031, 9, 26, 9, 30, 0, 0, time.UTC)
	result, err := coverage.Covered(event.JSON(`{"failed":0}`), coverage.LedgerDeclaration{
		Checked: []coverage.Item{{What: "all four arrays"}},
		Period: &coverage.TimeHeld{
			Queried: coverage.TimeRange{From: from, To: from.Add(time.Hour)},
			Held:    &coverage.TimeRange{From: from.AddDate(0, 0, -30), To: export},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := servedjson.Parse(result)
	if err != nil {
		fmt.Println(err)
		return
	}
	ledger, _ := coverage.ReadLedger(v)
	period, _ := ledger.Coverage.Get("period")
	read, err := coverage.ReadPeriod(period, coverage.Wire)
	fmt.Println(string(ledger.Result.Raw()), read.Verdict(), err)
	// Output: {"failed":0} partly-held <nil>
}

// A declaration in JSON goes through the same checks; a refusal names the field and the spelling that was meant.
func ExampleAbsentJSON() {
	_, err := coverage.AbsentJSON([]byte(`{"what": "lun 9", "checked": ["array 4"], "not_checked": ["array 5"]}`))
	fmt.Println(err)
	if field, ok := errors.AsType[*coverage.FieldError](err); ok {
		fmt.Println(field.Field)
	}
	// Output:
	// refused: not_checked is not a key here; write notChecked
	// not_checked
}
