package servedjson

import (
	"bytes"
	"math"
	"strconv"
)

// Float is a Number as a double: what is too large is infinite.
func (v Value) Float() float64 {
	if v.Kind() != Number {
		return 0
	}
	f, _ := strconv.ParseFloat(string(v.raw), 64) // the only error is a range error, and then f is infinite
	return f
}

// NumberText is a Number as ECMAScript prints it after parsing; see AppendJSNumber.
func (v Value) NumberText() string { return string(v.AppendNumber(nil)) }

// AppendNumber appends a Number as ECMAScript prints it after parsing; of any other kind it appends nothing.
func (v Value) AppendNumber(dst []byte) []byte {
	if v.Kind() != Number {
		return dst
	}
	if printsAsWritten(v.raw) {
		return append(dst, v.raw...)
	}
	return AppendJSNumber(dst, v.Float())
}

// printsAsWritten tells, for most numbers that do, that a number of the JSON grammar prints as it is written. A double
// holds any 15 digits exactly enough to give them back (IEEE 754, DBL_DIG), so it is enough that there is no exponent,
// no zero at the end of a fraction, no negative zero, and nothing below 1e-6.
func printsAsWritten(raw []byte) bool {
	const digits, zerosAfterPoint = 15, 5
	start := 0
	if raw[0] == '-' {
		start = 1
	}
	end := skipDigits(raw, start)
	if end == len(raw) {
		return end-start <= digits && (raw[start] != '0' || start == 0)
	}
	if raw[end] != '.' || len(raw)-start > digits+1 || raw[len(raw)-1] == '0' {
		return false
	}
	if skipDigits(raw, end+1) < len(raw) {
		return false
	}
	return raw[start] != '0' || !zeros(raw[end+1:], zerosAfterPoint+1)
}

// zeros tells whether b begins with n zeros.
func zeros(b []byte, n int) bool {
	for i := range n {
		if i == len(b) || b[i] != '0' {
			return false
		}
	}
	return true
}

// AppendJSNumber appends a double the way ECMAScript's String(Number) does: the shortest digits that read back, an
// exponent only below 1e-6 or from 1e21, without zero padding (1e-7, 1e+21); negative zero is 0.
func AppendJSNumber(dst []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case f == 0:
		return append(dst, '0')
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if mark := bytes.LastIndexByte(dst[start:], 'e') + start; len(dst) == mark+4 && dst[mark+2] == '0' {
		dst = append(dst[:mark+2], dst[mark+3])
	}
	return dst
}

// ParseNumber reads a plain decimal number, which may have a plus sign or zeros in front, as a double: what is too large
// is infinite.
func ParseNumber(b []byte) (float64, error) {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, err
	}
	return f, nil
}
