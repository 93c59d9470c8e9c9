package coverage

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// maxShort is how long an item's short name may be, in UTF-16 units.
const maxShort = 80

// maxWhole is the largest whole number that a double holds apart from its neighbours.
const maxWhole = 1<<53 - 1

// list is what the items of one list may say, beside what, why and short.
type list struct {
	author, wire string // its key in a declaration, and as it travels
	kinds        bool   // an item may be of a kind
	counts       bool   // an item may count things
	needsWhy     bool
}

// The lists of a declaration, in the order they travel in.
var (
	checkedList     = list{author: "checked", wire: "checked"}
	notCheckedList  = list{author: "notChecked", wire: "not_checked", kinds: true}
	cannotCoverList = list{author: "cannotCover", wire: "cannot_cover", kinds: true, needsWhy: true}
	inProgressList  = list{author: "inProgress", wire: "in_progress", counts: true}
)

// item is one ground that a list names.
type item struct {
	what, why servedjson.Value
	short     string
	kind      servedjson.Value
	count     servedjson.Value
}

// appendJSON writes the item with its texts as they were written, except that the short name is trimmed.
func (it item) appendJSON(dst []byte) []byte {
	dst = appendMember(append(dst, '{'), "what", it.what.Raw())
	if !it.why.IsZero() {
		dst = appendMember(dst, "why", it.why.Raw())
	}
	if it.short != "" {
		dst = appendMember(dst, "short", quoted(it.short))
	}
	if !it.kind.IsZero() {
		dst = appendMember(dst, "kind", it.kind.Raw())
	}
	if !it.count.IsZero() {
		dst = appendMember(dst, "count", it.count.AppendNumber(nil))
	}
	return append(dst, '}')
}

// appendItems writes a list of items.
func appendItems(dst []byte, items []item) []byte {
	dst = append(dst, '[')
	for i, it := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = it.appendJSON(dst)
	}
	return append(dst, ']')
}

// declared reads the list that an author declared. One that is missing or null has no items. The error is a *FieldError.
func (l list) declared(declaration servedjson.Value) ([]item, error) {
	v, _ := declaration.Get(l.author)
	if missing(v) {
		return nil, nil
	}
	if v.Kind() != servedjson.Array {
		return nil, &FieldError{l.author, "must be a list" + shown(v)}
	}
	var items []item
	for element := range v.Elements() {
		field := fmt.Sprintf("%s[%d]", l.author, len(items))
		if err := l.checkKeys(field, element); err != nil {
			return nil, err
		}
		it, err := l.item(field, element)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

// served reads the list as it travels; keys that items do not have are passed over. When one item is bad or there is
// none, the list is not read at all.
func (l list) served(envelope servedjson.Value) ([]item, bool) {
	v, _ := envelope.Get(l.wire)
	var items []item
	for element := range v.Elements() {
		it, err := l.item(l.wire, element)
		if err != nil {
			return nil, false
		}
		items = append(items, it)
	}
	return items, len(items) > 0
}

// checkKeys refuses keys that the items of the list do not have; a bare text has none.
func (l list) checkKeys(field string, v servedjson.Value) error {
	if v.Kind() == servedjson.String {
		return nil
	}
	keys := []string{"what", "why", "short", "kind"}
	if l.counts {
		keys = append(keys, "count")
	}
	if err := checkKeys(field, v, keys...); err != nil {
		return err
	}
	if kind, _ := v.Get("kind"); !l.kinds && !missing(kind) {
		return &FieldError{field + ".kind", "belongs to the items of notChecked and cannotCover"}
	}
	return nil
}

// item reads one item: a text that names a ground, or an object that says more about it.
func (l list) item(field string, v servedjson.Value) (it item, err error) {
	if it.what = v; v.Kind() == servedjson.Object {
		it.what, _ = v.Get("what")
	}
	if blank(it.what) {
		return it, &FieldError{field, "must name its ground in words" + shown(v)}
	}
	if it.why, err = l.why(field, v); err != nil {
		return it, err
	}
	if it.short, err = shortName(field, v, it.what.Text()); err != nil {
		return it, err
	}
	if it.kind, err = l.kind(field, v); err != nil {
		return it, err
	}
	it.count, err = l.count(field, v)
	return it, err
}

func (l list) why(field string, v servedjson.Value) (servedjson.Value, error) {
	why, ok := v.Get("why")
	switch {
	case !ok && l.needsWhy:
		return why, &FieldError{field, "needs a why: say what keeps the tool from covering it" + shown(v)}
	case ok && blank(why):
		return why, &FieldError{field + ".why", "must say why in words, or be left out" + shown(why)}
	}
	return why, nil
}

// shortName reads the name that stands for the item where there is little room: trimmed, at most maxShort units, no
// longer than what it stands for, and without control, format and line-breaking characters.
func shortName(field string, v servedjson.Value, what string) (string, error) {
	given, _ := v.Get("short")
	if missing(given) {
		return "", nil
	}
	short := trimmed(given)
	length := units(short)
	switch {
	case length == 0:
		return "", &FieldError{field + ".short", "must be a name in words, or be left out" + shown(given)}
	case length > maxShort:
		return "", &FieldError{field + ".short", fmt.Sprintf("has %d characters; %d is the most", length, maxShort)}
	case length > units(what):
		return "", &FieldError{field + ".short", "is longer than what it stands for"}
	case strings.ContainsFunc(short, unprintable):
		return "", &FieldError{field + ".short", "holds a control, format or line-breaking character" + shown(given)}
	}
	return short, nil
}

func unprintable(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// kind reads what kind of gap an item is, in the lists whose items are gaps.
func (l list) kind(field string, v servedjson.Value) (servedjson.Value, error) {
	kind, _ := v.Get("kind")
	switch {
	case !l.kinds || missing(kind):
		return servedjson.Value{}, nil
	case !kind.TextIs(string(Existence)) && !kind.TextIs(string(Scope)):
		return kind, &FieldError{field + ".kind", `must be "existence" or "scope"` + shown(kind)}
	}
	return kind, nil
}

// count reads how many things an item stands for.
func (l list) count(field string, v servedjson.Value) (servedjson.Value, error) {
	count, _ := v.Get("count")
	if !l.counts || missing(count) {
		return servedjson.Value{}, nil
	}
	if n := count.Float(); n < 1 || n > maxWhole || n != math.Trunc(n) {
		return count, &FieldError{field + ".count", "must be a whole number from 1" + shown(count)}
	}
	return count, nil
}
