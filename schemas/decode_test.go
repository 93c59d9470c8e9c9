package schemas_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// with gives an event in JSON: the fields that every event has, then these.
func with(kind event.Kind, fields string) string {
	return `{"v":1,"type":"` + string(kind) + `","id":"e1","tenant":"t","agent":"a","conversation":"c","turn":3` + fields + `}`
}

// tool is a tool_end with a call and these fields.
func tool(fields string) string {
	return with(event.KindToolEnd, `,"call":{"id":"k","tool":"search","iteration":0}`+fields)
}

// packed gives JSON as MessagePack.
func packed(t testing.TB, text string) []byte {
	t.Helper()
	data, err := schemas.Transcode([]byte(text))
	if err != nil {
		t.Fatalf("write %.200s as MessagePack: %.200v", text, err)
	}
	return data
}

func base() event.Event {
	return event.Event{ID: "e1", Conversation: event.Conversation{Tenant: "t", Agent: "a", ID: "c"}, Turn: 3}
}

func toolEnd(change func(*event.ToolEnd)) event.Event {
	e := base()
	e.ToolEnd = &event.ToolEnd{Call: event.Call{ID: "k", Tool: "search"}, Result: event.JSON("1")}
	change(e.ToolEnd)
	return e
}

func answer(change func(*event.Answer)) event.Event {
	e := base()
	e.Answer = &event.Answer{Iteration: 2, Text: "x"}
	change(e.Answer)
	return e
}

func TestDecode(t *testing.T) {
	const said = `,"iteration":2,"text":"x"`
	tests := []struct {
		name string
		text string
		want event.Event
	}{
		{"the least tool_end", tool(`,"result":1`), toolEnd(func(*event.ToolEnd) {})},
		{"the least answer", with("answer", said), answer(func(*event.Answer) {})},
		{"the least turn_start", with("turn_start", ""), func() event.Event {
			e := base()
			e.TurnStart = &event.TurnStart{}
			return e
		}()},
		{"space around everything", " \n{ \"v\" : 1 ,\t\"type\":\"answer\", \"id\":\"e1\",\"tenant\":\"t\",\"agent\":\"a\",\"conversation\":\"c\",\"turn\" : 3" + said + "\r\n} \n", answer(func(*event.Answer) {})},
		{"empty names", `{"v":1,"type":"turn_start","id":"e1","tenant":"","agent":"","conversation":"","turn":1}`,
			event.Event{ID: "e1", Turn: 1, TurnStart: &event.TurnStart{}}},
		{"whole numbers in other spellings", `{"v":1.0,"type":"answer","id":"e1","tenant":"t","agent":"a","conversation":"c","turn":30e-1,"iteration":0.2e1,"text":"x"}`, answer(func(*event.Answer) {})},
		{"every field of a tool_end", tool(`,"time":"2026-01-05T09:00:07Z","result":{"rows":[]},"modelResult":"cut","error":{"code":5},"status":"ok","durationMs":412.50,` +
			`"door":{"absent":true,"bounded":false,"described":{"facts":[]}},"script":{"program":"ls\n","language":"sh","label":"failed","exitCode":-1}`),
			func() event.Event {
				e := toolEnd(func(r *event.ToolEnd) {
					r.Result, r.ModelResult, r.Error = event.JSON(`{"rows":[]}`), event.JSON(`"cut"`), event.JSON(`{"code":5}`)
					r.Status, r.DurationMs = "ok", event.JSON("412.50")
					r.Door = &event.Door{Absent: true, Described: event.JSON(`{"facts":[]}`)}
					r.Script = &event.Script{Program: "ls\n", Language: "sh", Label: "failed", ExitCode: new(-1)}
				})
				e.Time = "2026-01-05T09:00:07Z"
				return e
			}()},
		{"every field of an answer", with("answer", said+`,"user":"","context":["p",""],"calls":["k"],"final":false,"afterRevision":true`),
			answer(func(a *event.Answer) {
				a.User, a.Context, a.Calls, a.Interim, a.AfterRevision = new(""), []string{"p", ""}, []string{"k"}, true, true
			})},
		{"no calls is not the same as not said", with("answer", said+`,"calls":[]`), answer(func(a *event.Answer) { a.Calls = []string{} })},
		{"null is not there", with("answer", said+`,"time":null,"user":null,"context":null,"calls":null,"final":null,"afterRevision":null`), answer(func(*event.Answer) {})},
		{"null is not there in a tool_end", tool(`,"result":1,"modelResult":null,"error":null,"status":null,"durationMs":null,"door":null,"script":null`), toolEnd(func(*event.ToolEnd) {})},
		{"null is a result", tool(`,"result":null`), toolEnd(func(r *event.ToolEnd) { r.Result = event.JSON("null") })},
		{"a door that says nothing", tool(`,"result":1,"door":{}`), toolEnd(func(r *event.ToolEnd) { r.Door = &event.Door{} })},
		{"an error that is false", tool(`,"result":1,"error":false`), toolEnd(func(r *event.ToolEnd) { r.Error = event.JSON("false") })},
		{"unknown fields at every level", tool(`,"result":1,"text":5,"iteration":"x","trace":{"a":[{}]},"door":{"x":1},"script":{"program":"","y":null}`),
			toolEnd(func(r *event.ToolEnd) { r.Door, r.Script = &event.Door{}, &event.Script{} })},
		{"of a repeated field the last", tool(`,"result":1,"turn":"no","turn":3,"result":7,"call":5,"call":{"id":1,"id":"k","tool":"search","iteration":0}`),
			toolEnd(func(r *event.ToolEnd) { r.Result = event.JSON("7") })},
		{"null last is not there", tool(`,"result":1,"status":"ok","status":null`), toolEnd(func(*event.ToolEnd) {})},
		{"numbers keep their digits", tool(`,"result":[98765432109876543210,18446744073709551615,1e400,1.50,-0,-0.0,1E5,0.1,1e21,1e-7]`),
			toolEnd(func(r *event.ToolEnd) {
				r.Result = event.JSON(`[98765432109876543210,18446744073709551615,1e400,1.50,-0,-0.0,1E5,0.1,1e21,1e-7]`)
			})},
		{"keys keep their order and repeats", tool(`,"result":{"b":1,"a":2,"b":{"":[]}}`), toolEnd(func(r *event.ToolEnd) { r.Result = event.JSON(`{"b":1,"a":2,"b":{"":[]}}`) })},
		{"no escape that is not needed", tool(`,"result":{ "\u0041\/" : "\u00e9\u2028\ud83d\ude00\u0007\n\"\\<&" , "s":" a  b " }`),
			toolEnd(func(r *event.ToolEnd) {
				r.Result = event.JSON("{\"A/\":\"é\u2028😀\\u0007\\n\\\"\\\\<&\",\"s\":\" a  b \"}")
			})},
		{"half a surrogate pair", tool(`,"result":"\ud800x\udc00\ud83d"`), toolEnd(func(r *event.ToolEnd) { r.Result = event.JSON(`"�x��"`) })},
		{"text that is not UTF-8", with("answer", `,"iteration":2,"text":"a`+"\xff\xc3"+`b"`), answer(func(a *event.Answer) { a.Text = "a��b" })},
		{"a key in escapes", with("answer", `,"\u0069teration":2,"te\u0078t":"x"`), answer(func(*event.Answer) {})},
		{"NUL in a text", with("answer", `,"iteration":2,"text":"\u0000"`), answer(func(a *event.Answer) { a.Text = "\x00" })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := schemas.Decode("", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("as JSON (-want +got):\n%s", diff)
			}
			if got, err = schemas.Decode(schemas.Msgpack, packed(t, tt.text)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("as MessagePack (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	const said = `,"iteration":2,"text":"x"`
	tests := []struct {
		name   string
		text   string
		reason schemas.Reason
		field  string
	}{
		{"an array", `[]`, schemas.Invalid, ""},
		{"a number", `5`, schemas.Invalid, ""},
		{"an empty object", `{}`, schemas.Invalid, "v"},
		{"no version", `{"type":"answer"}`, schemas.Invalid, "v"},
		{"a version in a string", `{"v":"1"}`, schemas.Invalid, "v"},
		{"a version with a fraction", `{"v":1.5}`, schemas.Invalid, "v"},
		{"a later version", `{"v":2,"type":"of tomorrow"}`, schemas.UnknownVersion, "v"},
		{"no type", `{"v":1}`, schemas.Invalid, "type"},
		{"another type", `{"v":1,"type":"tool_start"}`, schemas.UnknownType, "type"},
		{"a type that goes out", `{"v":1,"type":"evidence_checked"}`, schemas.UnknownType, "type"},
		{"an empty id", `{"v":1,"type":"answer","id":""}`, schemas.Invalid, "id"},
		{"a time that is no string", with("answer", said+`,"time":1767603600`), schemas.Invalid, "time"},
		{"no tenant", `{"v":1,"type":"answer","id":"e","agent":"","conversation":"","turn":1}`, schemas.Invalid, "tenant"},
		{"a null agent", `{"v":1,"type":"answer","id":"e","tenant":"","agent":null,"conversation":"","turn":1}`, schemas.Invalid, "agent"},
		{"turn 0", with("answer", said+`,"turn":0`), schemas.Invalid, "turn"},
		{"a turn with a fraction", with("answer", said+`,"turn":1.5`), schemas.Invalid, "turn"},
		{"a turn in a string", with("answer", said+`,"turn":"3"`), schemas.Invalid, "turn"},
		{"a turn beyond bounds", with("answer", said+`,"turn":2147483648`), schemas.Invalid, "turn"},
		{"a turn far beyond bounds", with("answer", said+`,"turn":1e999999999999999999999`), schemas.Invalid, "turn"},
		{"an iteration below 0", with("answer", said+`,"iteration":-1`), schemas.Invalid, "iteration"},
		{"no text", with("answer", `,"iteration":2`), schemas.Invalid, "text"},
		{"a null text", with("answer", `,"iteration":2,"text":null`), schemas.Invalid, "text"},
		{"a context that is one text", with("answer", said+`,"context":"p"`), schemas.Invalid, "context"},
		{"a context with a number", with("answer", said+`,"context":["p",5]`), schemas.Invalid, "context.1"},
		{"calls with null", with("answer", said+`,"calls":[null]`), schemas.Invalid, "calls.0"},
		{"final in a string", with("answer", said+`,"final":"no"`), schemas.Invalid, "final"},
		{"a user that is an object", with("turn_start", `,"user":{}`), schemas.Invalid, "user"},
		{"no call", with("tool_end", `,"result":1`), schemas.Invalid, "call"},
		{"a call that is a string", with("tool_end", `,"result":1,"call":"k"`), schemas.Invalid, "call"},
		{"a call without id", with("tool_end", `,"result":1,"call":{"tool":"t","iteration":0}`), schemas.Invalid, "call.id"},
		{"a call with a null tool", with("tool_end", `,"result":1,"call":{"id":"k","tool":null,"iteration":0}`), schemas.Invalid, "call.tool"},
		{"a call without iteration", with("tool_end", `,"result":1,"call":{"id":"k","tool":"t"}`), schemas.Invalid, "call.iteration"},
		{"no result", tool(``), schemas.Invalid, "result"},
		{"an error that is a number", tool(`,"result":1,"error":500`), schemas.Invalid, "error"},
		{"a status that is a number", tool(`,"result":1,"status":500`), schemas.Invalid, "status"},
		{"a duration in a string", tool(`,"result":1,"durationMs":"5"`), schemas.Invalid, "durationMs"},
		{"a door that is a flag", tool(`,"result":1,"door":true`), schemas.Invalid, "door"},
		{"a door with a number", tool(`,"result":1,"door":{"absent":1}`), schemas.Invalid, "door.absent"},
		{"a script without program", tool(`,"result":1,"script":{}`), schemas.Invalid, "script.program"},
		{"an exit code beyond bounds", tool(`,"result":1,"script":{"program":"","exitCode":9007199254740992}`), schemas.Invalid, "script.exitCode"},
		{"too deep by one", tool(`,"result":` + strings.Repeat("[", schemas.MaxDepth) + strings.Repeat("]", schemas.MaxDepth)), schemas.TooDeep, ""},
		{"too deep in an unknown field", with("answer", said+`,"x":`+strings.Repeat(`[{"":`, schemas.MaxDepth/2)+"1"+strings.Repeat("}]", schemas.MaxDepth/2)), schemas.TooDeep, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := schemas.Decode(schemas.JSON, []byte(tt.text))
			checkError(t, err, tt.reason, tt.field, len(tt.text))
			data := packed(t, tt.text)
			_, err = schemas.Decode(schemas.Msgpack, data)
			checkError(t, err, tt.reason, tt.field, len(data))
		})
	}
}

func checkError(t *testing.T, err error, reason schemas.Reason, field string, size int) {
	t.Helper()
	e, ok := errors.AsType[*schemas.Error](err)
	if !ok || e.Reason != reason || e.Field != field {
		t.Fatalf("error %v, want reason %s of field %q", err, reason, field)
	}
	if e.Offset < -1 || e.Offset > size {
		t.Errorf("offset %d of %d bytes", e.Offset, size)
	}
}

func TestDecodeUnreadable(t *testing.T) {
	whole := tool(`,"result":{"a":"b"}`)
	tests := []struct {
		name, text string
		offset     int
	}{
		{"nothing", "", 0},
		{"space", " \n", 2},
		{"a byte order mark", "\xef\xbb\xbf" + whole, 0},
		{"a word", "hello", 0},
		{"a second value", whole + whole, len(whole)},
		{"text after it", whole + " x", len(whole)},
		{"a comma too many", `{"v":1,}`, 6},
		{"a key without quotes", `{v:1}`, 1},
		{"a control character in a string", "{\"v\":\"\x01\"}", 6},
		{"an unknown escape", `{"v":"\x41"}`, 6},
		{"a zero in front", `{"v":01}`, 6},
		{"NaN", `{"v":NaN}`, 5},
		{"broken inside an unknown field", `{"x":[1,2}`, 9},
		{"a bracket that closes another", `[}`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := schemas.Decode(schemas.JSON, []byte(tt.text))
			checkError(t, err, schemas.Unreadable, "", len(tt.text))
			if e, _ := errors.AsType[*schemas.Error](err); e.Offset != tt.offset {
				t.Errorf("offset %d, want %d", e.Offset, tt.offset)
			}
		})
	}
	t.Run("cut anywhere", func(t *testing.T) {
		for n := range len(whole) {
			_, err := schemas.Decode(schemas.JSON, []byte(whole[:n]))
			checkError(t, err, schemas.Unreadable, "", n)
		}
	})
}

// TestDecodeDepth holds the bound on both sides, in either encoding: the message itself is the first level.
func TestDecodeDepth(t *testing.T) {
	text := tool(`,"result":` + strings.Repeat("[", schemas.MaxDepth-1) + `"[{"` + strings.Repeat("]", schemas.MaxDepth-1))
	for _, contentType := range []string{schemas.JSON, schemas.Msgpack} {
		data := []byte(text)
		if contentType == schemas.Msgpack {
			data = packed(t, text)
		}
		if _, err := schemas.Decode(contentType, data); err != nil {
			t.Errorf("%s: MaxDepth levels: %v", contentType, err)
		}
	}
	wide := tool(`,"result":[` + strings.Repeat(`[],`, 5000) + `"\"[\\"` + strings.Repeat(`,{"\\":"[["}`, 5000) + `]`)
	if _, err := schemas.Decode(schemas.JSON, []byte(wide)); err != nil {
		t.Errorf("many brackets, few levels: %v", err)
	}
}

func TestDecodeKeepsNothing(t *testing.T) {
	text := with("answer", `,"iteration":2,"text":"x","user":"u","context":["p"],"calls":["k"]`)
	for _, tt := range []struct{ contentType, text string }{
		{schemas.JSON, text}, {schemas.Msgpack, text},
		{schemas.JSON, tool(`,"result":[1,"two"]`)}, {schemas.Msgpack, tool(`,"result":[1,"two"]`)},
	} {
		data := []byte(tt.text)
		if tt.contentType == schemas.Msgpack {
			data = packed(t, tt.text)
		}
		before := string(data)
		e, err := schemas.Decode(tt.contentType, data)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := schemas.Decode(tt.contentType, []byte(before))
		if string(data) != before {
			t.Error("decoding changed its input")
		}
		clear(data)
		if !reflect.DeepEqual(e, again) {
			t.Error("the event changed with the bytes that it was read from")
		}
	}
}

func TestContentType(t *testing.T) {
	text := []byte(with("turn_start", ""))
	pack := packed(t, string(text))
	tests := []struct {
		contentType string
		data        []byte
		want        schemas.Reason
	}{
		{"", text, ""},
		{"application/json", text, ""},
		{"Application/JSON; charset=UTF-8", text, ""},
		{"application/json ;profile=x;charset=\"utf-8\"", text, ""},
		{"application/msgpack", pack, ""},
		{"APPLICATION/MsgPack;x=y", pack, ""},
		{"application/json; charset=utf-16", text, schemas.UnknownEncoding},
		{"application/json; Charset=iso-8859-1", text, schemas.UnknownEncoding},
		{"text/json", text, schemas.UnknownEncoding},
		{"application/x-protobuf", text, schemas.UnknownEncoding},
		{"; charset=utf-8", text, schemas.UnknownEncoding},
		{"json", text, schemas.UnknownEncoding},
		{"application/msgpack", text, schemas.Unreadable},
		{"application/json", pack, schemas.Unreadable},
	}
	for _, tt := range tests {
		t.Run(tt.contentType, func(t *testing.T) {
			_, err := schemas.DecodeMessage(map[string][]string{"content-TYPE": {tt.contentType}}, tt.data)
			if tt.want != "" {
				checkError(t, err, tt.want, "", len(tt.data))
			} else if err != nil {
				t.Error(err)
			}
			if got, want := schemas.IsMsgpack(tt.contentType), strings.Contains(strings.ToLower(tt.contentType), "msgpack"); got != want {
				t.Errorf("IsMsgpack is %v", got)
			}
		})
	}
	header := map[string][]string{"content-type": {"text/plain"}, "CONTENT-TYPE": {}, "Content-Type": {schemas.Msgpack, "x"}, "Accept": {"y"}}
	if got := schemas.ContentType(header); got != schemas.Msgpack {
		t.Errorf("of several headers %q was taken", got)
	}
	if got := schemas.ContentType(nil); got != "" {
		t.Errorf("without a header: %q", got)
	}
}

func TestLimits(t *testing.T) {
	text := []byte(with("turn_start", ""))
	if _, err := (schemas.Limits{MaxBytes: len(text)}).Decode("", text); err != nil {
		t.Error(err)
	}
	_, err := schemas.Limits{MaxBytes: len(text) - 1}.DecodeMessage(nil, text)
	checkError(t, err, schemas.TooLarge, "", -1)
	_, err = schemas.Decode("", make([]byte, schemas.DefaultMaxBytes+1))
	checkError(t, err, schemas.TooLarge, "", -1)
}

// TestErrorHoldsNoPayload looks for the text of a payload in the errors about it.
func TestErrorHoldsNoPayload(t *testing.T) {
	const secret = "4929123456781234"
	texts := []string{
		secret, `"` + secret + `"`, `{"` + secret, `{"` + secret + `":}`, `{"` + secret + `":"\q"}`, `{"v":` + secret + `}`, `{"v":"` + secret + `"}`,
		`{"v":1,"type":"` + secret + `"}`, with("answer", `,"text":{"`+secret+`":1}`), with("answer", `,"iteration":`+secret),
		tool(`,"result":1,"error":` + secret), tool(`,"result":1,"door":{"absent":"` + secret + `"}`), tool(`,"result":"` + secret + "\n\""),
	}
	for _, text := range texts {
		_, err := schemas.Decode("", []byte(text))
		if err == nil || strings.Contains(err.Error(), secret[:4]) {
			t.Errorf("%s: the error is %v", text, err)
		}
		if !json.Valid([]byte(text)) {
			continue
		}
		if _, err := schemas.Decode(schemas.Msgpack, packed(t, text)); err == nil || strings.Contains(err.Error(), secret[:4]) {
			t.Errorf("%s: the error is %v", text, err)
		}
		for _, kind := range schemas.Kinds {
			if err := schemas.Validate(kind, []byte(text)); err == nil || strings.Contains(err.Error(), secret[:4]) {
				t.Errorf("%s: the error is %v", text, err)
			}
		}
	}
}
