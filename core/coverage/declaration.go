package coverage

import (
	"encoding/json"
	"time"
)

// AbsentDeclaration is what a tool's author says when a search found nothing. What and Checked must be there.
type AbsentDeclaration struct {
	What           string      `json:"what"`    // what was looked for, in the author's words
	Checked        []Item      `json:"checked"` // what was searched
	NotChecked     []Item      `json:"notChecked,omitempty"`
	CannotCover    []Item      `json:"cannotCover,omitempty"`
	Provenance     *Provenance `json:"provenance,omitempty"`
	Period         *TimeHeld   `json:"period,omitempty"`
	TryInstead     string      `json:"tryInstead,omitempty"` // where to go instead, one sentence
	TryInsteadTool *ToolHint   `json:"tryInsteadTool,omitempty"`
}

// LedgerDeclaration is what a tool's author says of a result's limits. One list or a period must be there.
type LedgerDeclaration struct {
	Checked     []Item    `json:"checked,omitempty"`
	NotChecked  []Item    `json:"notChecked,omitempty"`
	CannotCover []Item    `json:"cannotCover,omitempty"`
	InProgress  []Running `json:"inProgress,omitempty"` // needs Checked beside it
	Period      *TimeHeld `json:"period,omitempty"`
}

// ItemKind says what an item of NotChecked or CannotCover leaves open.
type ItemKind string

// The kinds of item.
const (
	Existence ItemKind = "existence" // whether the thing is there at all
	Scope     ItemKind = "scope"     // how far the answer reaches
)

// Item names one ground: something that was searched, was not, or can never be.
type Item struct {
	What  string   `json:"what"`
	Why   string   `json:"why,omitempty"`   // CannotCover needs it
	Short string   `json:"short,omitempty"` // a shorter name for What, at most 80 UTF-16 units
	Kind  ItemKind `json:"kind,omitempty"`  // of NotChecked and CannotCover
}

// Running is something whose outcome was not known yet when it was read.
type Running struct {
	What  string `json:"what"`
	Why   string `json:"why,omitempty"`
	Short string `json:"short,omitempty"` // a shorter name for What, at most 80 UTF-16 units
	Count int    `json:"count,omitempty"` // how many it stands for, when more than one thing
}

// ToolHint names another tool that can find what this one cannot.
type ToolHint struct {
	Tool string `json:"tool"`
	Why  string `json:"why,omitempty"`
}

// Provenance says where values were read and how old they are. MeasuredAt and Source must be there.
type Provenance struct {
	MeasuredAt       string   `json:"measuredAt"` // in the tool's own words, never parsed
	Source           string   `json:"source"`
	AgeSeconds       *float64 `json:"ageSeconds,omitempty"`
	SourceExportDate string   `json:"sourceExportDate,omitempty"`
}

// TimeHeld is the period of a read: what it asked for, and what the store holds.
type TimeHeld struct {
	Queried TimeRange
	Held    *TimeRange // nil: it is not known what the store holds
	ReadAt  time.Time  // when the store was read, zero when that is not said
}

// MarshalJSON writes the period as AbsentJSON and CoveredJSON take it, with the word "unknown" for a nil Held.
func (p TimeHeld) MarshalJSON() ([]byte, error) {
	written := struct {
		Queried TimeRange `json:"queried"`
		Held    any       `json:"held"`
		ReadAt  time.Time `json:"readAt,omitzero"`
	}{p.Queried, "unknown", p.ReadAt}
	if p.Held != nil {
		written.Held = p.Held
	}
	return json.Marshal(written)
}

// TimeRange is a closed interval of time.
type TimeRange struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}
