package evidence

import "bytes"

// What tools print before and behind a value that an answer quotes without it (the id-part rule): grep glues a file, a
// line and the text of the line together, a terminal is told colours.

// addLinePlaces adds what stands before the text of a line that was found: src/x.ts:42 of src/x.ts:42:const, 1423 of
// 1423:func. The file and the number alone are added as forms, for answers that name a range of lines.
func (w *keyWriter) addLinePlaces(token []byte) {
	if w.ix.Full() {
		return
	}
	colon := bytes.IndexByte(token, ':')
	if colon < 1 || isColonHex(token) {
		return
	}
	if file := token[:colon]; digitsEnd(file, 0) < colon {
		end := digitsEnd(token, colon+1)
		if end == colon+1 || end < len(token) && token[end] != ':' {
			return
		}
		w.ix.addForm(file)
		w.ix.addForm(token[colon+1 : end])
		if end < len(token) {
			w.addIDPart(token[:end])
			w.addRuns(token[:end])
		}
		return
	}
	if colon+1 < len(token) && !isDigit(token[colon+1]) {
		w.ix.addForm(token[:colon])
	}
}

// namesFile tells whether a pair is a file and a place in it. What reads a file prints its lines, seldom its name, so of
// a file whose name is no data the place alone is asked.
func namesFile(pair []byte, parts partition) bool {
	if parts.rule != ruleIDPart || len(parts.at) != 2 {
		return false
	}
	name, place := pair[:parts.at[0].end], withoutLineMark(pair, parts.at[1])
	point := bytes.LastIndexByte(name, '.')
	if pair[len(name)] == '@' || point < 0 || point+1 == len(name) || !isDigit(pair[place.start]) {
		return false
	}
	var room [maxExtension]byte
	kind := name[point+1:]
	return len(kind) <= maxExtension && countDigits(kind) == 0 && bytes.IndexByte(kind, '/') < 0 && !domains[string(appendLowerASCII(room[:0], kind))]
}

// maxExtension is how long the last part of a file's name may be.
const maxExtension = 10

// domains are what names of hosts end in: in front of a port stands no file.
var domains = map[string]bool{
	"com": true, "org": true, "net": true, "io": true, "dev": true, "app": true, "cloud": true, "local": true, "internal": true,
}

// withoutColours gives a text without the sequences that tell a terminal about colours and places, a space in place of
// each; ok is false when it has none.
func withoutColours(text []byte) (plain []byte, ok bool) {
	if bytes.IndexByte(text, escape) < 0 {
		return nil, false
	}
	for i := 0; i < len(text); i++ {
		if text[i] != escape || i+1 == len(text) || text[i+1] != '[' {
			plain = append(plain, text[i])
			continue
		}
		for i += 2; i < len(text) && (text[i] < '@' || text[i] > '~'); i++ {
		}
		plain, ok = append(plain, ' '), true
	}
	return plain, ok
}

const escape = 0x1b
