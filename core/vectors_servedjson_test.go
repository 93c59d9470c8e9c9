package core_test

import (
	"encoding/json"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

func init() {
	register("leadingJsonValues", func(t *testing.T, a Args) any {
		values, rest := servedjson.LeadingValues([]byte(a.String(t, 0)))
		list := []json.RawMessage{}
		for _, v := range values {
			list = append(list, v.Raw())
		}
		return map[string]any{"values": list, "rest": string(rest)}
	})
	register("jsonPrefixOf", func(t *testing.T, a Args) any {
		p, ok := servedjson.ReadPrefix([]byte(a.String(t, 0)))
		if !ok {
			return undefined{}
		}
		out := map[string]any{"leaves": p.Leaves}
		if p.HasWords {
			out["words"] = p.Words
		}
		return out
	})
}
