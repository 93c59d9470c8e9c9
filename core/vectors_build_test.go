package core_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// build writes out what a vector says is to be built: long strings, and numbers that JSON has no sign for. The order of
// keys and the digits of numbers stay.
func build(t *testing.T, raw json.RawMessage) json.RawMessage {
	t.Helper()
	if len(raw) == 0 || !bytes.Contains(raw, []byte(`"$`)) {
		return raw
	}
	switch raw = bytes.TrimSpace(raw); raw[0] {
	case '[':
		var list []json.RawMessage
		must(t, json.Unmarshal(raw, &list))
		for i := range list {
			list[i] = build(t, list[i])
		}
		return marshal(t, list)
	case '{':
		return buildObject(t, raw)
	}
	return raw
}

func buildObject(t *testing.T, raw json.RawMessage) json.RawMessage {
	t.Helper()
	var special struct {
		Build json.RawMessage `json:"$build"`
		Num   string          `json:"$num"`
	}
	must(t, json.Unmarshal(raw, &special))
	switch {
	case special.Build != nil:
		return marshal(t, buildString(t, special.Build))
	case special.Num != "":
		return buildNumber(t, special.Num)
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for _, m := range members(t, raw) {
		if isUndefined(m.value) {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.Write(marshal(t, m.key))
		out.WriteByte(':')
		out.Write(build(t, m.value))
	}
	out.WriteByte('}')
	return out.Bytes()
}

// buildNumber writes a number that JSON has no sign for: negative zero as itself, an infinity as a number too large for
// a double, and NaN as the null that ECMAScript writes for it.
func buildNumber(t *testing.T, name string) json.RawMessage {
	t.Helper()
	written := map[string]string{"-0": "-0", "Infinity": "1e999", "-Infinity": "-1e999", "NaN": "null"}[name]
	if written == "" {
		t.Fatalf("there is no number called %q", name)
	}
	return json.RawMessage(written)
}

func buildString(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	switch bytes.TrimSpace(raw)[0] {
	case '"':
		var s string
		must(t, json.Unmarshal(raw, &s))
		return s
	case '[':
		var parts []json.RawMessage
		must(t, json.Unmarshal(raw, &parts))
		var all strings.Builder
		for _, part := range parts {
			all.WriteString(buildString(t, part))
		}
		return all.String()
	}
	var op struct {
		Repeat []json.RawMessage `json:"$repeat"`
		Seq    []json.RawMessage `json:"$seq"`
	}
	must(t, json.Unmarshal(raw, &op))
	var n, to int
	if op.Repeat != nil {
		must(t, json.Unmarshal(op.Repeat[1], &n))
		return strings.Repeat(buildString(t, op.Repeat[0]), n)
	}
	must(t, json.Unmarshal(op.Seq[1], &n))
	must(t, json.Unmarshal(op.Seq[2], &to))
	template := buildString(t, op.Seq[0])
	var all strings.Builder
	for ; n <= to; n++ {
		all.WriteString(strings.ReplaceAll(template, "%d", fmt.Sprint(n)))
	}
	return all.String()
}

type member struct {
	key   string
	value json.RawMessage
}

// members are an object's keys and values in the order of the text.
func members(t *testing.T, raw json.RawMessage) []member {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, err := dec.Token()
	must(t, err)
	var all []member
	for dec.More() {
		key, err := dec.Token()
		must(t, err)
		m := member{key: key.(string)}
		must(t, dec.Decode(&m.value))
		all = append(all, m)
	}
	return all
}

// isUndefined tells whether an argument, or a member of one, is not there.
func isUndefined(raw json.RawMessage) bool {
	var u map[string]bool
	return json.Unmarshal(raw, &u) == nil && u["$undefined"] && len(u) == 1
}
