package evidence

import (
	"bytes"
	"slices"
)

// The hex rule: a UUID or a hex id is one value in any case, with or without braces, urn:uuid: and hyphens, and so is the
// address of a network card or a fingerprint in pairs (00:1A:2B, 00-1a-2b) or in fours (001a.2b3c.4d5e). The first 7 or
// more digits of a full hash that was read are held; a longer hash is never held by its abbreviation. A token of decimal
// digits alone is a number, and an abbreviation only behind a word that says so (context.go).

// hexKind opens the keys of hex ids; what follows is the digits.
const hexKind = 'h'

// minHexPrefix is how many digits of a hash name it.
const minHexPrefix = 7

// maxHex is how many digits a hex id may have.
const maxHex = 128

// appendHex appends the digits of a token, in lower case, that is a hex id of 7 digits or more; ok is false when it is
// none, or when it is a decimal number as it stands.
func appendHex(dst, token []byte) (digits []byte, ok bool) {
	token = withoutAlgorithm(token)
	if len(token) < minHexPrefix || len(token) > maxHex+maxHex/2 {
		return dst, false
	}
	start, letters := len(dst), false
	for _, c := range token {
		switch {
		case isDigit(c):
		case c >= 'a' && c <= 'f':
			letters = true
		default:
			if c != '-' && c != ':' && c != '.' {
				return dst[:start], false
			}
			continue
		}
		dst = append(dst, c)
	}
	grouped := len(dst)-start < len(token)
	if grouped && !isUUID(token) && !isGroupedHex(token) {
		return dst[:start], false
	}
	return dst, len(dst)-start >= minHexPrefix && (letters || grouped)
}

// withoutAlgorithm takes urn:uuid:, sha256: and its like, and 0x off a token.
func withoutAlgorithm(token []byte) []byte {
	token = bytes.TrimPrefix(token, []byte("urn:uuid:"))
	if algorithm := bytes.LastIndexByte(token, ':'); algorithm > 0 && isFullHash(len(token)-algorithm-1) {
		token = token[algorithm+1:]
	}
	return bytes.TrimPrefix(token, []byte("0x"))
}

func isUUID(b []byte) bool {
	if len(b) != 36 {
		return false
	}
	for i, c := range b {
		if (c == '-') != (i == 8 || i == 13 || i == 18 || i == 23) {
			return false
		}
	}
	return true
}

// isGroupedHex tells whether b is pairs of hex digits between colons or hyphens, six at least, or three fours between
// points.
func isGroupedHex(b []byte) bool {
	width, sep := 2, b[2]
	if b[4] == '.' && len(b) == 14 {
		width, sep = 4, '.'
	} else if sep != ':' && sep != '-' || len(b) < 17 || len(b)%3 != 2 {
		return false
	}
	for i, c := range b {
		if (c == sep) != (i%(width+1) == width) || c != sep && !isHexDigit(c) {
			return false
		}
	}
	return true
}

func isHexDigit(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' }

// isColonHex tells whether b is hex digits and colons, two at least.
func isColonHex(b []byte) bool {
	colons := 0
	for _, c := range b {
		if c == ':' {
			colons++
		} else if !isHexDigit(c) {
			return false
		}
	}
	return colons >= 2
}

// isFullHash tells whether so many hex digits are a whole hash: of MD5 or a UUID, SHA-1, SHA-256, SHA-384, SHA-512.
func isFullHash(digits int) bool {
	switch digits {
	case 32, 40, 64, 96, 128:
		return true
	}
	return false
}

// addHex adds a hex id, and keeps a full hash.
func (w *keyWriter) addHex(token []byte) {
	w.begin(ruleHex, hexKind)
	var ok bool
	if w.buf, ok = appendHex(w.buf, token); ok {
		w.end()
		w.ix.keys.noteHash(w.buf[keyHead:])
	}
}

// reachable lists the forms that a query finds: itself, and for an abbreviated hash the full ones that it opens.
func (ix *Index) reachable(q query, form string) []string {
	forms := []string{form}
	if q.rule != ruleHex || q.key == "" || len(form) < keyHead+minHexPrefix {
		return forms
	}
	digits := form[keyHead:]
	for _, full := range ix.hashes[digits[:minHexPrefix]] {
		if len(full) > len(digits) && full[:len(digits)] == digits {
			forms = append(forms, form[:keyHead]+full)
		}
	}
	return forms
}

// noteHash keeps a full hash under its first digits.
func (ix *Index) noteHash(digits []byte) {
	if !isFullHash(len(digits)) {
		return
	}
	same := ix.hashes[string(digits[:minHexPrefix])]
	if len(same) >= maxSameHead || slices.Contains(same, string(digits)) {
		return
	}
	if ix.hashes == nil {
		ix.hashes = map[string][]string{}
	}
	full := string(digits)
	ix.hashes[full[:minHexPrefix]] = append(same, full)
	ix.hashBytes += len(full) + hashRoom
}

// maxSameHead bounds the full hashes kept under the same first digits.
const maxSameHead = 64

// hashRoom is about what a kept hash takes beside its digits, in bytes: its place in the table and in its list.
const hashRoom = 100
