package evidence

import (
	"hash/maphash"
)

// MaxForms is how many distinct forms an index holds; reaching it makes the index full (readers.md, "Evidence").
const MaxForms = 200_000

// Index holds the forms that texts are known by, and for each form the rows that hold it. A row is one text that was
// added. It only grows: what a judgement may read is chosen by a View, so one index serves every answer of a
// conversation, whatever came late, was replaced, or belongs to another turn.
//
// A full index takes no further form, and what is added afterwards leaves no trace. It is not safe for concurrent use.
type Index struct {
	rows     int
	arena    []byte    // the forms, one after another
	entries  []entry   // in the order in which the forms came
	postings []posting // in the order in which they came
	table    []uint32  // open addressing: 1 + place in entries, 0 is free; its length is a power of two
	seed     maphash.Seed

	rules  RuleSet             // the equivalences that texts are known by as well
	keys   *Index              // of their keys, row for row; nil under literal-1
	hashes map[string][]string // of an index of keys: full hashes by their first digits

	spell normalizer // buffers of the row being added
	leaf  []byte
	z     Tokenizer
}

type entry struct {
	start, end uint32 // in the arena
	newest     int32  // place in postings
}

// posting says that a row holds a form.
type posting struct {
	row   int32
	older int32 // place of the same form's posting before, -1 when there is none
}

// NewIndex is an index that holds nothing.
func NewIndex() *Index {
	return &Index{seed: maphash.MakeSeed()}
}

// Len is the number of distinct forms.
func (ix *Index) Len() int { return len(ix.entries) }

// Rows is the number of texts that were added.
func (ix *Index) Rows() int { return ix.rows }

// Full tells whether the index reached MaxForms: something that was added may be missing.
func (ix *Index) Full() bool { return len(ix.entries) >= MaxForms }

// Bytes is how much memory the index holds.
func (ix *Index) Bytes() int {
	keys := 0
	if ix.keys != nil {
		keys = ix.keys.Bytes()
	}
	return keys + cap(ix.arena) + 12*cap(ix.entries) + 8*cap(ix.postings) + 4*cap(ix.table) + cap(ix.leaf) + 200
}

// add notes that the newest row holds a form, and what follows its 0x when it begins so. The form is copied.
func (ix *Index) add(form []byte) {
	ix.addForm(form)
	if len(form) > 2 && form[0] == '0' && form[1] == 'x' {
		ix.addForm(form[2:])
	}
}

func (ix *Index) addForm(form []byte) {
	if len(form) == 0 {
		return
	}
	if len(ix.entries)*4 >= len(ix.table)*3 {
		ix.grow()
	}
	slot, found := ix.slot(form)
	row := int32(ix.rows - 1)
	if found {
		e := &ix.entries[ix.table[slot]-1]
		if ix.postings[e.newest].row != row {
			ix.postings = append(ix.postings, posting{row, e.newest})
			e.newest = int32(len(ix.postings) - 1)
		}
		return
	}
	if ix.Full() {
		return
	}
	start := uint32(len(ix.arena))
	ix.arena = append(ix.arena, form...)
	ix.postings = append(ix.postings, posting{row, -1})
	ix.entries = append(ix.entries, entry{start, uint32(len(ix.arena)), int32(len(ix.postings) - 1)})
	ix.table[slot] = uint32(len(ix.entries))
}

// slot gives the place of a form in the table, or the free place where it belongs.
func (ix *Index) slot(form []byte) (slot int, found bool) {
	mask := len(ix.table) - 1
	for i := int(maphash.Bytes(ix.seed, form)) & mask; ; i = (i + 1) & mask {
		at := ix.table[i]
		if at == 0 {
			return i, false
		}
		if string(ix.form(int(at-1))) == string(form) {
			return i, true
		}
	}
}

func (ix *Index) form(place int) []byte {
	e := ix.entries[place]
	return ix.arena[e.start:e.end]
}

func (ix *Index) grow() {
	ix.table = make([]uint32, max(64, 2*len(ix.table)))
	for place := range ix.entries {
		slot, _ := ix.slot(ix.form(place))
		ix.table[slot] = uint32(place + 1)
	}
}

// find gives the newest posting of a form, -1 when no row holds it.
func (ix *Index) find(form string) int32 {
	if len(ix.entries) == 0 {
		return -1
	}
	mask := len(ix.table) - 1
	for i := int(maphash.String(ix.seed, form)) & mask; ; i = (i + 1) & mask {
		at := ix.table[i]
		if at == 0 {
			return -1
		}
		if string(ix.form(int(at-1))) == form {
			return ix.entries[at-1].newest
		}
	}
}

// View says which rows of an index a judgement may read.
type View struct {
	// Turns is, for each row, the turn it counts as; -1 is a row that may not be read, and so is one past the end.
	Turns []int32
	// Calls is, for each row, the id of the call that it came from; nil when rows come from no call.
	Calls []string
	// Current is the turn of the judgement.
	Current int32
}

func (v *View) turn(row int32) int32 {
	if int(row) >= len(v.Turns) {
		return -1
	}
	return v.Turns[row]
}

// Turn gives the newest turn whose rows, as far as the view lets them be read, hold a form; ok is false when none does.
func (ix *Index) Turn(form string, v View) (turn int, ok bool) {
	newest := int32(-1)
	for at := ix.find(form); at >= 0 && newest < v.Current; at = ix.postings[at].older {
		newest = max(newest, v.turn(ix.postings[at].row))
	}
	return int(newest), newest >= 0
}

// maxCarriers is how many calls are named as having carried a value.
const maxCarriers = 8

// Carriers lists the calls of the current turn whose rows hold a form, each once, the first maxCarriers in the order of
// the rows; more tells that there were others.
func (ix *Index) Carriers(form string, v View) (calls []string, more bool) {
	var rows []int32
	for at := ix.find(form); at >= 0; at = ix.postings[at].older {
		if row := ix.postings[at].row; v.turn(row) >= v.Current && int(row) < len(v.Calls) {
			rows = append(rows, row)
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		calls, more = addCarrier(calls, v.Calls[rows[i]], more)
	}
	return calls, more
}

func addCarrier(calls []string, call string, more bool) ([]string, bool) {
	for _, known := range calls {
		if known == call {
			return calls, more
		}
	}
	if len(calls) == maxCarriers {
		return calls, true
	}
	return append(calls, call), more
}

// Forms lists the distinct forms in the order in which they came.
func (ix *Index) Forms() []string {
	forms := make([]string, len(ix.entries))
	for place := range ix.entries {
		forms[place] = string(ix.form(place))
	}
	return forms
}
