package evidence

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// MaxForms is how many distinct forms an index holds; reaching it makes the index full (readers.md, "Evidence").
const MaxForms = 200_000

// Index holds the forms that texts are known by, and for each form the rows that hold it. A row is one text that was
// added. It only grows: what a judgement may read is chosen by a View, so one index serves every answer of a
// conversation, whatever came late, was replaced, or belongs to another turn.
//
// A full index takes no further form, and what is added afterwards leaves no trace. It is not safe for concurrent use.
//
// A form takes its bytes and about 30 more: its entry, a posting per row, and its part of the table. What was tried and
// left: a map of strings to lists (three allocations a form), and a table of 64-bit slots (a larger tag was not worth the
// memory).
type Index struct {
	rows     int
	arena    []byte    // the forms, one after another
	entries  []entry   // in the order in which the forms came
	postings []posting // in the order in which they came
	table    []slot    // open addressing, its length is a power of two
	seed     maphash.Seed

	rules     RuleSet             // the equivalences that texts are known by as well
	keys      *Index              // of their keys, row for row; nil under literal-1
	hashes    map[string][]string // of an index of keys: full hashes by their first digits
	hashBytes int                 // what the hashes hold
}

// entry is a form: it begins at start in the arena and ends where the next one begins.
type entry struct {
	start  uint32
	hash   uint32
	newest int32 // place in postings
}

// posting says that a row holds a form.
type posting struct {
	row   int32
	older int32 // place of the same form's posting before, -1 when there is none
}

// slot is a place of the table: 0 when free, else 1 + the place of an entry and, above it, the high bits of the entry's
// hash, so that most entries that are not the one looked for are told without looking at them.
type slot uint32

const (
	placeBits = 18 // MaxForms fits
	placeMask = 1<<placeBits - 1
)

func slotOf(place int, hash uint32) slot { return slot(hash&^placeMask | uint32(place+1)) }

func (s slot) place() int { return int(s&placeMask) - 1 }

func (s slot) mayHold(hash uint32) bool { return (uint32(s)^hash)&^placeMask == 0 }

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
	return keys + ix.hashBytes + cap(ix.arena) + 12*cap(ix.entries) + 8*cap(ix.postings) + 4*cap(ix.table) + 200
}

// Forms lists the distinct forms in the order in which they came.
func (ix *Index) Forms() []string {
	forms := make([]string, len(ix.entries))
	for place := range ix.entries {
		forms[place] = string(ix.form(place))
	}
	return forms
}

func (ix *Index) form(place int) []byte {
	start, end := ix.entries[place].start, uint32(len(ix.arena))
	if place+1 < len(ix.entries) {
		end = ix.entries[place+1].start
	}
	return ix.arena[start:end]
}

// addForm notes that the newest row holds a form. The form is copied.
func (ix *Index) addForm(form []byte) {
	if len(ix.entries)*16 >= len(ix.table)*13 {
		ix.grow()
	}
	hash := uint32(maphash.Bytes(ix.seed, form))
	at, place := ix.probe(int(hash), hash)
	for place >= 0 && !bytes.Equal(ix.form(place), form) {
		at, place = ix.probe(at+1, hash)
	}
	row := int32(ix.rows - 1)
	switch {
	case place >= 0:
		if e := &ix.entries[place]; ix.postings[e.newest].row != row {
			e.newest = ix.post(row, e.newest)
		}
	case !ix.Full():
		ix.table[at] = slotOf(len(ix.entries), hash)
		ix.entries = append(ix.entries, entry{uint32(len(ix.arena)), hash, ix.post(row, -1)})
		ix.arena = append(ix.arena, form...)
	}
}

func (ix *Index) post(row, older int32) (place int32) {
	ix.postings = append(ix.postings, posting{row, older})
	return int32(len(ix.postings) - 1)
}

// find gives the place of a form among the entries, -1 when it is not there.
func (ix *Index) find(form string) int {
	if len(ix.table) == 0 {
		return -1
	}
	hash := uint32(maphash.String(ix.seed, form))
	at, place := ix.probe(int(hash), hash)
	for place >= 0 && string(ix.form(place)) != form {
		at, place = ix.probe(at+1, hash)
	}
	return place
}

// probe gives the next slot, from the given one on and around the end, that is free, and then place is -1, or that may
// be of the hash. One is always free.
func (ix *Index) probe(from int, hash uint32) (at, place int) {
	mask := len(ix.table) - 1
	for at = from & mask; ; at = (at + 1) & mask {
		if s := ix.table[at]; s == 0 || s.mayHold(hash) {
			return at, s.place()
		}
	}
}

// reserve makes room in an empty index for what a text of the size in bytes mostly takes.
func (ix *Index) reserve(size int) {
	forms := min(size/30, MaxForms)
	if len(ix.table) > 0 || forms < minTable {
		return
	}
	ix.arena = make([]byte, 0, size/2)
	ix.entries = make([]entry, 0, forms)
	ix.postings = make([]posting, 0, forms)
	ix.resize(1 << bits.Len(uint(forms)))
	if ix.keys != nil {
		ix.keys.reserve(size / 2)
	}
}

// minTable is how many slots the smallest table has.
const minTable = 64

// grow makes the table twice as large.
func (ix *Index) grow() { ix.resize(max(minTable, 2*len(ix.table))) }

func (ix *Index) resize(slots int) {
	ix.table = make([]slot, slots)
	for place, e := range ix.entries {
		at := int(e.hash) & (slots - 1)
		for ix.table[at] != 0 {
			at = (at + 1) & (slots - 1)
		}
		ix.table[at] = slotOf(place, e.hash)
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

// newest gives the newest posting of a form, -1 when no row holds it.
func (ix *Index) newest(form string) int32 {
	if place := ix.find(form); place >= 0 {
		return ix.entries[place].newest
	}
	return -1
}

// Turn gives the newest turn whose rows, as far as the view lets them be read, hold a form; ok is false when none does.
func (ix *Index) Turn(form string, v View) (turn int, ok bool) {
	newest := int32(-1)
	for at := ix.newest(form); at >= 0 && newest < v.Current; at = ix.postings[at].older {
		newest = max(newest, v.turn(ix.postings[at].row))
	}
	return int(newest), newest >= 0
}

// Carriers lists the calls of the current turn whose rows hold a form, each once, the first maxCarriers in the order of
// the rows; more tells that there were others.
func (ix *Index) Carriers(form string, v View) (calls []string, more bool) {
	var found carriers
	for at := ix.newest(form); at >= 0; at = ix.postings[at].older {
		if row := ix.postings[at].row; v.turn(row) >= v.Current && int(row) < len(v.Calls) {
			found.before(v.Calls[row])
		}
	}
	return found.list()
}
