package evidence

import "bytes"

// What people type around an id that was read (the id-part rule, seen from the answer): a scheme, a slash or an emphasis
// at an end, a label, a mask, the v of a version, the word in front of a number.

// typedForms visits what is left of an answer's id without what may be typed around it.
func typedForms(id []byte, visit func(form []byte)) {
	if bare := withoutScheme(bytes.Trim(bytes.TrimRight(bytes.TrimPrefix(id, []byte("./")), "-"), "_:")); len(bare) < len(id) && len(bare) > 0 {
		visit(bare)
	}
	if bare, ok := withoutLabel(id); ok {
		visit(bare)
	}
	if end := lettersEnd(id, 0); end > 1 && isVersion(id[end:]) && digitsAndPoints(id[end:]) {
		visit(id[end:])
	}
	switch {
	case isVersion(id):
		visit(append([]byte{'v'}, id...))
	case id[0] == 'v' && isVersion(id[1:]):
		visit(id[1:])
	}
}

// withoutScheme takes https://, mailto:, tel: and the like, and slashes, off an id.
func withoutScheme(id []byte) []byte {
	if at := bytes.Index(id, []byte("://")); at > 0 && lettersEnd(id, 0) == at {
		id = id[at+3:]
	}
	for _, scheme := range [...]string{"mailto:", "tel:", "sms:", "callto:"} {
		id = bytes.TrimPrefix(id, []byte(scheme))
	}
	return bytes.Trim(id, "/+")
}

// labels are what stands glued in front of a number to say what it is.
var labels = map[string]bool{
	"no": true, "nr": true, "num": true, "l": true, "ln": true, "line": true, "p": true, "pp": true, "pg": true, "r": true,
	"rev": true, "port": true, "pid": true, "id": true, "ref": true, "tel": true, "ext": true,
}

// withoutLabel takes a label off a number, and the x of a masked one: no.4417, L1423, N52.52, xxxx-4242.
func withoutLabel(id []byte) ([]byte, bool) {
	end := lettersEnd(id, 0)
	if end == 0 || end == len(id) {
		return nil, false
	}
	number := id[end:]
	if c := number[0]; !isDigit(c) && c != '.' && c != '-' {
		return nil, false
	}
	masked := len(bytes.Trim(id[:end], "x")) == 0
	compass := end == 1 && bytes.IndexByte([]byte("nesw"), id[0]) >= 0 && isVersion(number)
	if !masked && !compass && !labels[string(id[:end])] {
		return nil, false
	}
	if number[0] == '.' || masked && number[0] == '-' {
		number = number[1:]
	}
	_, ok := isNumber(number)
	return number, ok && isDigit(number[0]) && !(masked && end == 1)
}

// isVersion tells whether a text begins with numbers and points as a version does: 1.2, 1.2.3-rc.1.
func isVersion(b []byte) bool {
	first := digitsEnd(b, 0)
	return first > 0 && first+1 < len(b) && b[first] == '.' && isDigit(b[first+1])
}

// prefixedNumber gives the number behind one word, glued or behind a hyphen, underscore or slash: GH-4417, LH4410.
func prefixedNumber(id []byte) (number []byte, ok bool) {
	end := lettersEnd(id, 0)
	if end == 0 || end > maxPrefix || end == len(id) {
		return nil, false
	}
	if c := id[end]; c == '-' || c == '_' || c == '/' {
		end++
	}
	number = id[end:]
	return number, len(number) > 0 && digitsEnd(number, 0) == len(number)
}

// maxPrefix is how long the word in front of a number may be.
const maxPrefix = 12

// idFields are the last words of the keys of fields that hold ids.
var idFields = map[string]bool{
	"id": true, "ids": true, "iid": true, "number": true, "no": true, "nr": true, "num": true, "key": true, "code": true,
	"ref": true, "reference": true, "issue": true, "pr": true, "ticket": true, "order": true, "invoice": true, "case": true,
	"incident": true, "flight": true, "booking": true,
}

// isIDField tells whether a key names a field for ids, by its last word: order_id, orderId, number.
func isIDField(key []byte) bool {
	start := len(key)
	for start > 0 && isLetter(key[start-1]) {
		start--
		if c := key[start]; c >= 'A' && c <= 'Z' && (start == 0 || key[start-1] >= 'a' && key[start-1] <= 'z') {
			break
		}
	}
	var word [maxPrefix]byte
	if len(key)-start > len(word) {
		return false
	}
	return idFields[string(appendLowerASCII(word[:0], key[start:]))]
}

// pairOf splits an answer's id into two values at its last colon, # or @: a file and its line, a host and its port, a
// package and its version, a URL and its fragment. What is in front may be no number but the 1 of a scale.
func pairOf(id []byte) (parts []piece, ok bool) {
	at := bytes.LastIndexAny(id, ":#@")
	if at < 1 || at == len(id)-1 || digitsEnd(id, 0) == at && string(id[:at]) != "1" {
		return nil, false
	}
	if id[at] == ':' && (id[at+1] == '/' || isColonHex(id)) {
		return nil, false
	}
	return []piece{{0, at}, {at + 1, len(id)}}, true
}

// namedVersion splits nginx-1.25.3 and nginx/1.25.3: a word and a version of three numbers or more.
func namedVersion(id []byte) (version piece, ok bool) {
	end := lettersEnd(id, 0)
	if end == 0 || end+1 >= len(id) || id[end] != '-' && id[end] != '/' {
		return piece{}, false
	}
	rest := id[end+1:]
	return piece{end + 1, len(id)}, digitsAndPoints(rest) && bytes.Count(rest, []byte{'.'}) >= 2
}
