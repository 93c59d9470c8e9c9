package evidence

import (
	"math"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// The bounds of a FigureBasis (readers.md, "Figures"). What lies past the first four makes it Capped.
const (
	maxCarried     = 50_000
	maxDerived     = 50_000
	maxListRows    = 5_000
	maxFields      = 64
	maxGroups      = 50
	maxGroupFields = 8
)

// FigureBasis is what a number may derive from: the numbers that results carry, and what their columns add up to.
type FigureBasis struct {
	Carried   []CarriedNumber
	Derived   []DerivedNumber
	Truncated bool // a bound was reached: there was more to carry or to derive than is kept

	partial bool // a list had more rows or fields than are read: what its columns add up to is not known
}

// Capped tells whether a number may derive from what was not taken in: a number that nothing explains cannot be refuted.
// A basis that is nil, with figures off, is not.
func (b *FigureBasis) Capped() bool { return b != nil && (b.Truncated || b.partial) }

// CarriedNumber is a number of a result.
type CarriedNumber struct {
	X   float64
	At  string // its path in the result, empty in text
	Key string // the key it stands at, empty when it stands at none
}

// DerivedNumber is what columns of a list add up to.
type DerivedNumber struct {
	X float64
	Derivation
}

// Derivation says what a number derives from: one of rounded, unit-scale, complement, column-sum, column-ratio,
// column-difference, and the numbers it was made of.
type Derivation struct {
	Derivation, From string
}

// NewFigureBasis reads the results, each a served text, in order. What one result holds as JSON is read as one value: several
// values, and what a capped result's head holds, are a list, and JSON that was cut is a list of its leaves.
func NewFigureBasis(contents [][]byte) *FigureBasis {
	b := &FigureBasis{Carried: []CarriedNumber{}, Derived: []DerivedNumber{}}
	for _, content := range contents {
		reading := ReadResult(content)
		parts, text := reading.Parts, reading.Text
		if last := len(parts) - 1; last >= 0 && parts[last].Words != nil {
			parts, text = parts[:last], parts[last].Words
		}
		b.readParts(parts)
		b.readText(text, "", "")
	}
	return b
}

func (b *FigureBasis) readParts(parts []Part) {
	if len(parts) == 0 {
		return
	}
	whole := Part{Group: parts}
	if len(parts) == 1 {
		whole = parts[0]
	}
	v := whole.Value
	if v.IsZero() {
		var err error
		if v, err = servedjson.Parse(whole.appendJSON(nil)); err != nil {
			b.readApart(parts)
			return
		}
	}
	b.readValue(v, "", "")
}

// readApart reads each part for itself: together they nest too deep.
func (b *FigureBasis) readApart(parts []Part) {
	for _, part := range parts {
		if part.Group == nil {
			b.readParts([]Part{part})
		} else {
			b.readApart(part.Group)
		}
	}
}

// appendJSON writes the part as one JSON value.
func (p *Part) appendJSON(dst []byte) []byte {
	switch {
	case p.Words != nil:
		return servedjson.AppendQuoted(dst, p.Words)
	case p.Cut != nil:
		list := len(dst)
		servedjson.VisitPrefix(p.Cut, func(leaf servedjson.Value) {
			dst = servedjson.AppendQuoted(append(dst, ','), leaf.AppendLeaf(nil))
		})
		return closeList(dst, list)
	case p.Group != nil:
		list := len(dst)
		for i := range p.Group {
			dst = p.Group[i].appendJSON(append(dst, ','))
		}
		return closeList(dst, list)
	}
	return append(dst, p.Value.Raw()...)
}

// closeList makes the elements from dst[list:] on, each behind a comma, a list.
func closeList(dst []byte, list int) []byte {
	if len(dst) == list {
		return append(dst, "[]"...)
	}
	dst[list] = '['
	return append(dst, ']')
}

// readValue takes the numbers of a value and the columns of its lists. Recursion is bounded by servedjson.MaxDepth.
func (b *FigureBasis) readValue(v servedjson.Value, at, key string) {
	switch v.Kind() {
	case servedjson.Number:
		b.carry(v.Float(), at, key)
	case servedjson.String:
		b.readText(v.TextBytes(nil), at, key)
	case servedjson.Array:
		i := 0
		for element := range v.Elements() {
			b.readValue(element, at+"["+strconv.Itoa(i)+"]", "")
			i++
		}
		b.readColumns(v, at)
	case servedjson.Object:
		for name, value := range v.Members() {
			path := name.Text()
			if at != "" {
				path = at + "." + path
			}
			b.readValue(value, path, name.Text())
		}
	}
}

// readText takes the tokens of a text that are plain numbers.
func (b *FigureBasis) readText(text []byte, at, key string) {
	z := NewTokenizer(text)
	for {
		token, _, _, ok := z.Next()
		if !ok {
			return
		}
		if _, isNumber := isNumber(token); isNumber {
			if x, err := servedjson.ParseNumber(token); err == nil {
				b.carry(x, at, key)
			}
		}
	}
}

func (b *FigureBasis) carry(x float64, at, key string) {
	switch {
	case math.IsInf(x, 0):
	case len(b.Carried) == maxCarried:
		b.Truncated = true
	default:
		b.Carried = append(b.Carried, CarriedNumber{x, at, key})
	}
}

// Explain says what a number, in its one spelling, derives from; the first of: a carried number rounded to the answer's
// precision, a carried number in another unit, the complement of a carried percentage, what columns add up to, and that
// in another unit (literal-1, "Figures").
func (b *FigureBasis) Explain(value string) (Derivation, bool) {
	if _, ok := isNumber([]byte(value)); !ok {
		return Derivation{}, false
	}
	f, err := servedjson.ParseNumber([]byte(value))
	if err != nil {
		return Derivation{}, false
	}
	w := window{f, decimals(value)}
	for _, find := range []func(window) (Derivation, bool){b.rounded, b.scaled, b.complement, b.derived, b.scaledSum} {
		if d, ok := find(w); ok {
			return d, true
		}
	}
	return Derivation{}, false
}

// window holds a number to the precision that an answer gives it.
type window struct {
	f        float64
	decimals int
}

func (w window) holds(x float64) bool {
	return math.Abs(x-w.f) <= 0.5*math.Pow(10, -float64(w.decimals))*(1+1e-9)+1e-12
}

func decimals(value string) int {
	_, fraction, _ := strings.Cut(value, ".")
	return len(fraction)
}

func (b *FigureBasis) rounded(w window) (Derivation, bool) {
	for _, c := range b.Carried {
		if w.holds(c.X) {
			return Derivation{"rounded", c.shown()}, true
		}
	}
	return Derivation{}, false
}

func (b *FigureBasis) scaled(w window) (Derivation, bool) {
	for _, c := range b.Carried {
		if by, ok := w.scale(c.X); ok {
			return Derivation{"unit-scale", c.shown() + by}, true
		}
	}
	return Derivation{}, false
}

// scale tells by what a number of at least 1000 is divided to give the window's.
func (w window) scale(x float64) (by string, ok bool) {
	if math.Abs(x) < 1000 {
		return "", false
	}
	for k := 1; k <= 5; k++ {
		for _, base := range [...]float64{1000, 1024} {
			if w.holds(x / math.Pow(base, float64(k))) {
				return " ÷ " + strconv.Itoa(int(base)) + "^" + strconv.Itoa(k), true
			}
		}
	}
	return "", false
}

func (b *FigureBasis) complement(w window) (Derivation, bool) {
	for _, c := range b.Carried {
		if isPercentKey(c.Key) && w.holds(100-c.X) {
			return Derivation{"complement", "100 − " + c.shown()}, true
		}
	}
	return Derivation{}, false
}

// isPercentKey tells whether a key names a percentage: one of its words is pct or percent, or a percent sign is in it.
func isPercentKey(key string) bool {
	key = strings.ToLower(key)
	return strings.Contains(key, "pct") || strings.Contains(key, "percent") || strings.Contains(key, "%")
}

func (b *FigureBasis) derived(w window) (Derivation, bool) {
	for _, d := range b.Derived {
		if w.holds(d.X) {
			return d.Derivation, true
		}
	}
	return Derivation{}, false
}

func (b *FigureBasis) scaledSum(w window) (Derivation, bool) {
	for _, d := range b.Derived {
		if d.Derivation.Derivation != "column-sum" {
			continue
		}
		if by, ok := w.scale(d.X); ok {
			return Derivation{"unit-scale", d.From + by}, true
		}
	}
	return Derivation{}, false
}

func (c CarriedNumber) shown() string { return precise(c.X) + " at " + c.At }

// precise prints a number with at most 12 significant digits.
func precise(x float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	if err != nil {
		short = x
	}
	return string(servedjson.AppendJSNumber(nil, short))
}
