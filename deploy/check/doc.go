// Package check holds what deploy/ ships against the programs that will read it: each file is parsed by the reader that
// the real thing uses, and what one file says of another is true. make deploy-check runs it.
//
// It is a Go module of its own, so that what it needs to do so is in no program: see README.md.
package check
