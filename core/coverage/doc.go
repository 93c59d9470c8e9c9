// Package coverage answers two questions about a finished tool result: "does it say what it searched, what it did not
// search and what it can never cover?", and "did the store hold the time that was asked about?".
//
// A result says so in one of two envelopes, which the seeds brought with them: an absence (af_absent: looked here, found
// nothing) and a boundary (af_coverage: this result, and its limits), also called a ledger. The package recognises them,
// reads their lists and periods, and mints them for tool authors: see Absent and Covered.
//
// It does not judge whether a result is empty (package emptiness) nor what grounds a value (package evidence). Lengths
// are in UTF-16 code units, times are exact to the nanosecond.
package coverage
