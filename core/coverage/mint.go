package coverage

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// The sentences that the envelopes carry for the model that reads them. They name the call by its result, because a
// result is read again in later turns.
const (
	absenceNote = "The search that gave this result found nothing where it looked, and would find nothing there again. " +
		"It says nothing about what was not checked or cannot be covered: an answer built on it should say so."
	ledgerNote = "This result holds for what was checked. An answer built on it should carry along what was not checked " +
		"and what cannot be covered."
)

// Absent gives the result of a search that found nothing: the absence that a tool returns. The error is a *FieldError
// that says which field is wrong; a tool returns it as its own error.
func Absent(d AbsentDeclaration) (event.JSON, error) {
	b, err := marshal(d)
	if err != nil {
		return nil, err
	}
	return AbsentJSON(b)
}

// Covered gives a result with its own limits around it: the boundary that a tool returns. A nil result is null. The
// error is a *FieldError that says which field is wrong; a tool returns it as its own error.
func Covered(result event.JSON, d LedgerDeclaration) (event.JSON, error) {
	b, err := marshal(d)
	if err != nil {
		return nil, err
	}
	return CoveredJSON(result, b)
}

// AbsentJSON is Absent for a declaration in JSON, with the keys of AbsentDeclaration's fields as their tags spell them.
// An item may also be a bare text, and the held of a period the word "unknown". It refuses what the declaration cannot
// say: unknown keys first, then the fields in their order (literal-1.md, absent()). A null field is left out.
func AbsentJSON(declared []byte) (event.JSON, error) {
	d, err := parseDeclaration(declared, "what", "checked", "notChecked", "cannotCover", "provenance", "period",
		"tryInstead", "tryInsteadTool")
	if err != nil {
		return nil, err
	}
	what, _ := d.Get("what")
	if blank(what) {
		return nil, &FieldError{"what", "must say what was looked for" + shown(what)}
	}
	out := event.JSON(`{"af_absent":true,"outcome":"nothing_found"`)
	out = appendMember(out, "looked_for", what.Raw())
	if checked, _ := d.Get("checked"); !listed(checked) {
		return nil, &FieldError{"checked", "must be a list of what was searched, with something in it" + shown(checked)}
	}
	for _, add := range []adder{addList(checkedList), addList(notCheckedList), addList(cannotCoverList), addProvenance,
		addPeriod, addRetry, addTryInstead, addToolHint} {
		if out, err = add(out, d); err != nil {
			return nil, err
		}
	}
	return append(appendMember(out, "note", quoted(absenceNote)), '}'), nil
}

// CoveredJSON is Covered for a declaration in JSON, with the keys of LedgerDeclaration's fields as their tags spell
// them. See AbsentJSON.
func CoveredJSON(result, declared []byte) (event.JSON, error) {
	d, err := parseDeclaration(declared, "checked", "notChecked", "cannotCover", "inProgress", "period")
	if err != nil {
		return nil, err
	}
	boundary := event.JSON{'{'}
	for _, add := range []adder{addList(checkedList), addList(notCheckedList), addList(cannotCoverList), addInProgress,
		addPeriod} {
		if boundary, err = add(boundary, d); err != nil {
			return nil, err
		}
	}
	if len(boundary) == 1 {
		return nil, &FieldError{declaration, "declares no limit: name something checked, not checked or never covered, or a period"}
	}
	boundary = append(appendMember(boundary, "note", quoted(ledgerNote)), '}')
	return surround(result, boundary)
}

// surround puts the boundary before the result: a limit after a long result is read past.
func surround(result []byte, boundary event.JSON) (event.JSON, error) {
	if result == nil {
		result = []byte("null")
	}
	v, err := servedjson.Parse(result)
	if err != nil {
		return nil, &FieldError{"the result", "must be JSON: " + err.Error()}
	}
	out := appendMember(event.JSON{'{'}, CoverageMarker, boundary)
	out = append(appendMember(out, "result", compact(v)), '}')
	if _, err := servedjson.Parse(out); err != nil {
		return nil, &FieldError{"the result", "cannot be put inside a boundary: " + err.Error()}
	}
	return out, nil
}

func parseDeclaration(declared []byte, keys ...string) (servedjson.Value, error) {
	d, err := servedjson.Parse(declared)
	if err != nil {
		return d, &FieldError{declaration, "must be JSON: " + err.Error()}
	}
	return d, checkKeys(declaration, d, keys...)
}

// marshal writes a declaration for the door that checks it.
func marshal(d any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, fmt.Errorf("refused: %s cannot be written as JSON: %w", declaration, err)
	}
	return out.Bytes(), nil
}

// adder adds one part of a declaration to the envelope that is being written, or says what is wrong with it.
type adder func(out event.JSON, d servedjson.Value) (event.JSON, error)

func addList(l list) adder {
	return func(out event.JSON, d servedjson.Value) (event.JSON, error) {
		items, err := l.declared(d)
		if err != nil || len(items) == 0 {
			return out, err
		}
		return appendMember(out, l.wire, appendItems(nil, items)), nil
	}
}

// addInProgress adds what is still running. It is ground that the call read, so it needs checked beside it, even when
// nothing runs.
func addInProgress(out event.JSON, d servedjson.Value) (event.JSON, error) {
	running, _ := d.Get(inProgressList.author)
	checked, _ := d.Get(checkedList.author)
	if !missing(running) && !listed(checked) {
		return out, &FieldError{inProgressList.author, "needs checked beside it: what runs was found by a search"}
	}
	return addList(inProgressList)(out, d)
}

func addProvenance(out event.JSON, d servedjson.Value) (event.JSON, error) {
	v, _ := d.Get("provenance")
	if missing(v) {
		return out, nil
	}
	wire, err := readProvenance(v, Author)
	if err != nil {
		return out, err
	}
	return appendMember(out, "provenance", wire), nil
}

func addPeriod(out event.JSON, d servedjson.Value) (event.JSON, error) {
	v, _ := d.Get("period")
	if missing(v) {
		return out, nil
	}
	p, err := ReadPeriod(v, Author)
	if err != nil {
		return out, err
	}
	return appendMember(out, "period", p.appendJSON(nil, Wire)), nil
}

func addRetry(out event.JSON, _ servedjson.Value) (event.JSON, error) {
	return appendMember(out, "retry_returns_the_same", []byte("true")), nil
}

// addTryInstead adds the sentence that says where to go instead. What is no sentence is left out.
func addTryInstead(out event.JSON, d servedjson.Value) (event.JSON, error) {
	v, _ := d.Get("tryInstead")
	if blank(v) {
		return out, nil
	}
	return appendMember(out, "try_instead", quoted(trimmed(v))), nil
}

func addToolHint(out event.JSON, d servedjson.Value) (event.JSON, error) {
	v, _ := d.Get("tryInsteadTool")
	if missing(v) {
		return out, nil
	}
	hint, err := readToolHint("tryInsteadTool", v)
	if err != nil {
		return out, err
	}
	return appendMember(out, "try_instead_tool", hint.appendJSON(nil)), nil
}

// readToolHint reads one other tool and why it may help, both trimmed. A null why is none. The error is a *FieldError.
func readToolHint(field string, v servedjson.Value) (ToolHint, error) {
	if err := checkKeys(field, v, "tool", "why"); err != nil {
		return ToolHint{}, err
	}
	tool, _ := v.Get("tool")
	why, _ := v.Get("why")
	switch {
	case blank(tool):
		return ToolHint{}, &FieldError{field + ".tool", "must name a tool" + shown(tool)}
	case !missing(why) && blank(why):
		return ToolHint{}, &FieldError{field + ".why", "must say why in words, or be left out" + shown(why)}
	}
	return ToolHint{Tool: trimmed(tool), Why: trimmed(why)}, nil
}

func (h ToolHint) appendJSON(dst []byte) []byte {
	dst = appendMember(append(dst, '{'), "tool", quoted(h.Tool))
	if h.Why != "" {
		dst = appendMember(dst, "why", quoted(h.Why))
	}
	return append(dst, '}')
}
