// Package evidence answers two questions about an answer: which values does it assert, and does each stand in what the
// run read?
//
// A value is asserted by a token that is data (Gate, Extract). It is grounded when the same value, in its one spelling
// (NormalizeToken), is a form that a served result is known by (Index), and exempt when the person or the app supplied
// it. Comparing is exact and of whole tokens, never of substrings. A number that no result holds may still derive from
// what results hold (FigureBasis). It finds values that were typed instead of read; a wrong claim built from values that
// were read passes.
//
// Text is read in steps, each in a file of its own, so that a ruleset can replace one and keep the others: the bytes
// that make a token (tokenize.go), the one spelling of a token (normalize.go, lower.go), which tokens are data
// (classify.go, gate.go), and where an answer asserts them (extract.go). What the results hold is read by read.go and
// kept by index.go; judge.go compares.
//
// calibrated-1 lays further spellings over the same steps. A rule (equivalence.go, eq_*.go) turns each spelling of a value
// into one key. What is served is known by its keys as well (keys.go, served.go), an answer's values are read with the
// ways in which they may be held (fold.go, spelling.go, spelled.go, cluster.go, ways.go), and hold.go looks those up.
// near.go helps a person; it decides nothing.
//
// The package holds no clock, no state of a conversation and no wire format. Offsets are in bytes of UTF-8; lengths of
// values are in UTF-16 code units. The rules are those of readers.md, "Evidence", and literal-1.md.
package evidence
