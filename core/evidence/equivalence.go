package evidence

import (
	"fmt"
	"slices"
	"strings"
)

// rule is one of the equivalences of calibrated-1: a way in which one value is spelt in two ways. Its number opens the
// keys that the index holds for it, and is the order in which verdicts name them.
type rule byte

// The rules that have keys, and those that only change what is asked.
const (
	ruleClock rule = iota + 1
	ruleDate
	ruleIDPart
	ruleHex
	ruleNumber
	ruleDigits
	ruleRange
	ruleList
	ruleStructure
	ruleGroups
	ruleCount
)

// Equivalence describes one rule to a person.
type Equivalence struct {
	ID     string // as policies switch it off and verdicts name it
	Same   string // the spellings that are one value
	Reason string // why it exists
	Cost   string // which invention it can let through
}

// equivalences is the table of calibrated-1, in the order of rule.
var equivalences = [ruleCount]Equivalence{
	ruleClock: {"clock", "7:00, 07:00, 07:00:00, 7:00 AM, 7 am, 19.45 Uhr, 19h45, 1945 UTC, the time of an ISO stamp; UTC+2 and +02:00",
		"people write clock times the way they say them",
		"a time without its seconds is held by any seconds of that minute"},
	ruleDate: {"date", "2024-05-20, 20240520, May 20 2024, 20 May, 5/20/2024, the date, the month or the year of an ISO stamp",
		"people write dates the way they say them",
		"a year alone is held by any date of it, and by an id of 8 digits that reads as one; a date by its day and its year said apart"},
	ruleIDPart: {"id-part", "7504069 and certificate_7504069, 1423 and state.go:1423, GH-4417 and a field number: 4417, A1234-related and A1234",
		"people drop what stands in front of an id, and put a word there",
		"a number is held by an id that ends in it behind another word, or by a field for other ids"},
	ruleHex: {"hex", "a UUID or hex id in any case, with or without braces and hyphens; 00:1A:2B and 001a.2b; the first 7 or more digits of a full hash",
		"tools and people abbreviate hashes", "an invented abbreviation that happens to open a hash that was read"},
	ruleNumber: {"number", "2.480,50 and 2480.5; −1 204,5 and -1204.5; 1.2e3 and 1200; USD2480 and 2480; 12,480ms and 12480; 12.34% and 0.1234",
		"numbers are written the way of the reader's language", "a number behind its minus, a share behind its percentage"},
	ruleDigits: {"digits", "a JSON number under its own digits",
		"a serial of 20 digits is not the double that it is printed as", "none"},
	ruleRange: {"range", "1112-1478 and 1920x1080, when both numbers were read, and each of them when the pair was",
		"people write two values as a range or a size", "a range of two values that do not belong together"},
	ruleList: {"list", "2031,2032, when 2031 and 2032 were both read",
		"people write lists without spaces", "none: both values are judged"},
	ruleStructure: {"structure", "list markers, section and step numbers assert nothing",
		"they order the text, they claim nothing", "an invented number that stands where a section number does"},
	ruleGroups: {"groups", "+49 30 1234567, +49301234567 and (030) 123-4567; an IBAN, a card, an ISBN with and without its spaces or hyphens",
		"codes are read aloud and written in groups", "a phone number of another country, when the record leaves the country out"},
}

// Equivalences lists the rules of calibrated-1 in the order in which verdicts name them.
func Equivalences() []Equivalence { return slices.Clone(equivalences[1:]) }

// RuleSet says which equivalences hold. The zero value is none of them: literal-1.
type RuleSet struct {
	on [ruleCount]bool
}

// AllRules is every equivalence but the named ones. The error names an id that is none.
func AllRules(off ...string) (RuleSet, error) {
	var set RuleSet
	for r := ruleClock; r < ruleCount; r++ {
		set.on[r] = true
	}
	for _, id := range off {
		i := slices.IndexFunc(equivalences[1:], func(e Equivalence) bool { return e.ID == id })
		if i < 0 {
			return RuleSet{}, fmt.Errorf("equivalence %q is not one of %s", id, strings.Join(ruleIDs(), ", "))
		}
		set.on[i+1] = false
	}
	return set, nil
}

func ruleIDs() []string {
	ids := make([]string, 0, ruleCount)
	for _, e := range equivalences[1:] {
		ids = append(ids, e.ID)
	}
	return ids
}

func (r rule) id() string { return equivalences[r].ID }

// has tells whether an equivalence holds.
func (s *RuleSet) has(r rule) bool { return s.on[r] }
