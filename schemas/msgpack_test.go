package schemas_test

import (
	"bytes"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/plumbline-dev/plumbline/schemas"
)

// packTool gives a tool_end in MessagePack as another program would write it, with one more field that write fills in.
func packTool(t testing.TB, field string, write func(*msgpack.Encoder)) []byte {
	t.Helper()
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	e.EncodeMapLen(10)
	for _, text := range []string{"type", "tool_end", "id", "e1", "tenant", "t", "agent", "a", "conversation", "c", "result", "r"} {
		e.EncodeString(text)
	}
	e.EncodeString("v")
	e.EncodeUint8(1)
	e.EncodeString("turn")
	e.EncodeInt64(3)
	e.EncodeString("call")
	e.EncodeMapLen(4)
	for _, text := range []string{"id", "k", "tool", "search", "note", "x"} {
		e.EncodeString(text)
	}
	e.EncodeString("iteration")
	e.EncodeFloat64(0)
	e.EncodeString(field)
	write(e)
	return out.Bytes()
}

func extension(id int8, data string) func(*msgpack.Encoder) {
	return func(e *msgpack.Encoder) {
		e.EncodeExtHeader(id, len(data))
		e.Writer().Write([]byte(data))
	}
}

func raw(data string) func(*msgpack.Encoder) {
	return func(e *msgpack.Encoder) { e.Writer().Write([]byte(data)) }
}

// TestMsgpackValues reads values that other programs write; the want is the result as JSON.
func TestMsgpackValues(t *testing.T) {
	tests := []struct {
		name  string
		write func(*msgpack.Encoder)
		want  string
	}{
		{"a small integer in nine bytes", func(e *msgpack.Encoder) { e.EncodeInt64(5) }, "5"},
		{"a negative one in two", func(e *msgpack.Encoder) { e.EncodeInt8(-5) }, "-5"},
		{"the least integer", func(e *msgpack.Encoder) { e.EncodeInt64(math.MinInt64) }, "-9223372036854775808"},
		{"the largest integer", func(e *msgpack.Encoder) { e.EncodeUint64(math.MaxUint64) }, "18446744073709551615"},
		{"a float of 32 bits in its own digits", func(e *msgpack.Encoder) { e.EncodeFloat32(0.1) }, "0.1"},
		{"a float of 64 bits", func(e *msgpack.Encoder) { e.EncodeFloat64(0.1) }, "0.1"},
		{"a whole float", func(e *msgpack.Encoder) { e.EncodeFloat64(255) }, "255"},
		{"minus zero", func(e *msgpack.Encoder) { e.EncodeFloat64(math.Copysign(0, -1)) }, "-0"},
		{"a large float", func(e *msgpack.Encoder) { e.EncodeFloat64(1e300) }, "1e+300"},
		{"a number by its digits", extension(schemas.NumberExtension, "98765432109876543210"), "98765432109876543210"},
		{"a number of four digits", extension(schemas.NumberExtension, "1.50"), "1.50"},
		{"a long number", extension(schemas.NumberExtension, strings.Repeat("7", 300)), strings.Repeat("7", 300)},
		{"nil", func(e *msgpack.Encoder) { e.EncodeNil() }, "null"},
		{"booleans", func(e *msgpack.Encoder) { e.EncodeArrayLen(2); e.EncodeBool(true); e.EncodeBool(false) }, "[true,false]"},
		{"a map of 32 bits", raw("\xdf\x00\x00\x00\x02\xa1b\x90\xa1a\x80"), `{"b":[],"a":{}}`},
		{"a repeated key", raw("\x82\xa1a\x01\xa1a\x02"), `{"a":1,"a":2}`},
		{"a string of 32 bits", raw("\xdb\x00\x00\x00\x01x"), `"x"`},
		{"text that is not UTF-8", raw("\xa3a\xffb"), `"a�b"`},
		{"text that JSON escapes", raw("\xa4\"\\\n\x01"), `"\"\\\n\u0001"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := schemas.Decode(schemas.Msgpack, packTool(t, "result", tt.write))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(e.ToolEnd.Result); got != tt.want {
				t.Errorf("result %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMsgpackRefuses(t *testing.T) {
	tests := []struct {
		name, in string // the field that holds it
		write    func(*msgpack.Encoder)
		reason   schemas.Reason
		field    string
	}{
		{"bytes", "result", func(e *msgpack.Encoder) { e.EncodeBytes([]byte("x")) }, schemas.Invalid, "result"},
		{"bytes within", "modelResult", raw("\x91\x81\xa1a\xc4\x01x"), schemas.Invalid, "modelResult"},
		{"bytes for a text", "status", raw("\xc4\x01x"), schemas.Invalid, "status"},
		{"bytes among texts", "door", raw("\x81\xa9described\xc4\x01x"), schemas.Invalid, "door.described"},
		{"a timestamp", "result", extension(-1, "\x00\x00\x00\x00"), schemas.Invalid, "result"},
		{"a timestamp for a text", "time", extension(-1, "\x00\x00\x00\x00"), schemas.Invalid, "time"},
		{"an unknown extension", "result", extension(7, "5"), schemas.Invalid, "result"},
		{"NaN", "result", func(e *msgpack.Encoder) { e.EncodeFloat64(math.NaN()) }, schemas.Invalid, "result"},
		{"infinity of 32 bits", "durationMs", func(e *msgpack.Encoder) { e.EncodeFloat32(float32(math.Inf(1))) }, schemas.Invalid, "durationMs"},
		{"NaN for a whole number", "turn", func(e *msgpack.Encoder) { e.EncodeFloat64(math.NaN()) }, schemas.Invalid, "turn"},
		{"a fraction for a whole number", "turn", func(e *msgpack.Encoder) { e.EncodeFloat32(1.5) }, schemas.Invalid, "turn"},
		{"a number extension without a number", "result", extension(schemas.NumberExtension, "1 "), schemas.Invalid, "result"},
		{"a number extension with JSON", "result", extension(schemas.NumberExtension, "null"), schemas.Invalid, "result"},
		{"an empty number extension", "result", extension(schemas.NumberExtension, ""), schemas.Invalid, "result"},
		{"a number extension for a turn", "turn", extension(schemas.NumberExtension, "1e99"), schemas.Invalid, "turn"},
		{"a whole number as a key", "result", raw("\x81\x01\x01"), schemas.Invalid, "result"},
		{"nil as a key", "script", raw("\x81\xc0\x01"), schemas.Invalid, "script"},
		{"bytes as a key", "door", raw("\x81\xc4\x06absent\xc3"), schemas.Invalid, "door"},
		{"a byte that begins nothing", "x", raw("\xc1"), schemas.Unreadable, ""},
		{"a false length of an array", "result", raw("\xdd\xff\xff\xff\xff"), schemas.Unreadable, ""},
		{"a false length of a map", "x", raw("\xdf\xff\xff\xff\xff"), schemas.Unreadable, ""},
		{"a false length of a text", "result", raw("\xdb\xff\xff\xff\xff"), schemas.Unreadable, ""},
		{"a false length of bytes", "x", raw("\xc6\xff\xff\xff\xff"), schemas.Unreadable, ""},
		{"a false length of an extension", "result", raw("\xc9\xff\xff\xff\xffN"), schemas.Unreadable, ""},
		{"a byte too many", "result", raw("\x01\x01"), schemas.Unreadable, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := packTool(t, tt.in, tt.write)
			_, err := schemas.Decode(schemas.Msgpack, data)
			checkError(t, err, tt.reason, tt.field, len(data))
		})
	}
	for _, data := range []string{"", "\x90", "\x05", "\xc0", "\x81\x01\x01", "\xd4N5", "\xc1", "\xff\x00"} {
		if _, err := schemas.Decode(schemas.Msgpack, []byte(data)); err == nil {
			t.Errorf("%x is read as an event", data)
		}
	}
}

// TestMsgpackPassesOver reads past what JSON has no form for, as long as no known field holds it.
func TestMsgpackPassesOver(t *testing.T) {
	for _, write := range []func(*msgpack.Encoder){
		raw("\xc4\x01x"), extension(-1, "\x00\x00\x00\x00"), raw("\x81\x01\xca\x7f\xc0\x00\x00"), raw("\x92\xc7\x00\x05\xc0"),
	} {
		if _, err := schemas.Decode(schemas.Msgpack, packTool(t, "trace", write)); err != nil {
			t.Error(err)
		}
	}
}

func TestMsgpackCutAnywhere(t *testing.T) {
	data := packTool(t, "result", raw("\x93\xcb\x00\x00\x00\x00\x00\x00\x00\x00\xda\x00\x02ab\xc7\x03N1.0"))
	if _, err := schemas.Decode(schemas.Msgpack, data); err != nil {
		t.Fatal(err)
	}
	for n := range data {
		_, err := schemas.Decode(schemas.Msgpack, data[:n])
		checkError(t, err, schemas.Unreadable, "", n)
	}
}

// TestMsgpackDepth gives a short message that claims to nest without an end.
func TestMsgpackDepth(t *testing.T) {
	for _, open := range []string{"\x91", "\x81\xa0", "\xdd\xff\xff\xff\xff"} {
		data := packTool(t, "x", raw(strings.Repeat(open, 1_000_000)))
		_, err := schemas.Decode(schemas.Msgpack, data)
		checkError(t, err, schemas.TooDeep, "", len(data))
	}
}

// allocated gives the bytes that a call allocates.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// allowance is how many bytes a decoding may allocate for a message: a small multiple of it, and a constant.
func allowance(size int) uint64 { return uint64(64*size) + 256<<10 }

func TestDecodeAllocations(t *testing.T) {
	const n = 1 << 20
	tests := []struct {
		name, contentType string
		data              []byte
	}{
		{"a false array", schemas.Msgpack, packTool(t, "result", raw("\xdd\xff\xff\xff\xff"))},
		{"a false text", schemas.Msgpack, packTool(t, "status", raw("\xdb\xff\xff\xff\xff"))},
		{"a false extension", schemas.Msgpack, packTool(t, "turn", raw("\xc9\x7f\xff\xff\xffN"))},
		{"many empty texts", schemas.Msgpack, packTool(t, "result", raw("\xdd\x00\x10\x00\x00"+strings.Repeat("\xa0", n)))},
		{"control characters", schemas.Msgpack, packTool(t, "result", raw("\xdb\x00\x10\x00\x00"+strings.Repeat("\x01", n)))},
		{"broken text", schemas.JSON, []byte(tool(`,"result":"` + strings.Repeat("\xff", n) + `"`))},
		{"escapes", schemas.JSON, []byte(tool(`,"result":["` + strings.Repeat(`\u0041`, n/6) + `"]`))},
		{"backslashes", schemas.JSON, []byte(tool(`,"result":["` + strings.Repeat(`\\`, n/2) + `"]`))},
		{"many strings with an escape", schemas.JSON, []byte(tool(`,"result":["\n"` + strings.Repeat(`,"\n"`, n/5) + `]`))},
		{"many calls", schemas.JSON, []byte(with("answer", `,"iteration":0,"text":"","calls":[""`+strings.Repeat(`,""`, n/3)+`]`))},
		{"many calls, packed", schemas.Msgpack, packed(t, with("answer", `,"iteration":0,"text":"","calls":[""`+strings.Repeat(`,""`, n)+`]`))},
		{"many empty objects", schemas.JSON, []byte(tool(`,"result":[{}` + strings.Repeat(`,{}`, n/3) + `]`))},
		{"a long number", schemas.JSON, []byte(tool(`,"result":1,"turn":` + strings.Repeat("1", n)))},
		{"a long exponent", schemas.JSON, []byte(tool(`,"result":1,"turn":1e` + strings.Repeat("1", n)))},
		{"one field over and over", schemas.JSON, []byte(tool(strings.Repeat(`,"result":[1]`, n/13)))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := allocated(func() { schemas.Decode(tt.contentType, tt.data) })
			if limit := allowance(len(tt.data)); got > limit {
				t.Errorf("%d bytes allocated for %d, the limit is %d", got, len(tt.data), limit)
			}
		})
	}
}
