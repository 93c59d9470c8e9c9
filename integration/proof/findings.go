package main

import "fmt"

// shownFindings is how many findings of each kind are kept in words; the others are counted.
const shownFindings = 10

// findings are what should not be. Its zero value is ready.
type findings struct {
	counts [findingKinds]int
	words  []string
}

// The kinds of finding.
const (
	isLost = iota
	isDoubled
	isWrong
	isLetter // a dead letter of an event that was well formed, or of one whose verdict differs from the stored one
	isGone   // an event that the server accepted and does not keep
	findingKinds
)

var findingNames = [findingKinds]string{"lost", "doubled", "wrong", "dead letters of well-formed events", "accepted events not kept"}

func (f *findings) note(kind int, format string, of ...any) {
	if f.counts[kind]++; f.counts[kind] <= shownFindings {
		f.words = append(f.words, findingNames[kind]+": "+fmt.Sprintf(format, of...))
	}
}

func (f *findings) lost(format string, of ...any)    { f.note(isLost, format, of...) }
func (f *findings) doubled(format string, of ...any) { f.note(isDoubled, format, of...) }
func (f *findings) wrong(format string, of ...any)   { f.note(isWrong, format, of...) }

// none tells whether everything is as it should be.
func (f *findings) none() bool { return f.counts == [findingKinds]int{} }
