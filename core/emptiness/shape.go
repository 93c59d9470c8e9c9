package emptiness

import (
	"bytes"
	"slices"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// What calibrated-1 reads beside the routes of seed 001 (readers.md, Emptiness). What only a shape tells has the source
// "shape".

// blankText tells whether a value is text of nothing but white space.
func blankText(v servedjson.Value) bool {
	return v.Kind() == servedjson.String && len(servedjson.TrimJS(v.TextBytes(nil))) == 0
}

// content is a result of the Model Context Protocol (CallToolResult of its schema).
type content struct {
	blocks     int
	structured servedjson.Value // no value when it has none
}

// contentOf recognises a result of the Model Context Protocol that is complete and no error. An object with a key that
// such a result does not have, or that the app declared to hold its rows, is the app's own.
func (ctx Context) contentOf(data servedjson.Value) (c content, ok bool) {
	for key, value := range data.Members() {
		switch {
		case ctx.HasRowsAt && key.TextIs(ctx.RowsAt):
			return c, false
		case key.TextIs("content"):
			if !isBlockList(value) {
				return c, false
			}
			c.blocks, ok = value.Len(), true
		case key.TextIs("structuredContent"):
			c.structured, ok = value, true
		case key.TextIs("isError"):
			if value.Kind() != servedjson.False {
				return c, false
			}
		case key.TextIs("resultType"):
			if !value.TextIs("complete") {
				return c, false
			}
		case !key.TextIs("_meta"):
			return c, false
		}
	}
	return c, ok
}

// isBlockList tells whether a value is a list of content blocks: objects of a type.
func isBlockList(v servedjson.Value) bool {
	for block := range v.Elements() {
		if kind, _ := block.Get("type"); kind.Kind() != servedjson.String {
			return false
		}
	}
	return v.Kind() == servedjson.Array
}

// contentReading reads such a result: from its structured content when it has any, as empty when it has neither that nor
// a block. What stands in blocks is not counted, and then ok is false.
func (ctx Context) contentReading(data servedjson.Value) (r Reading, ok bool) {
	c, ok := ctx.contentOf(data)
	switch {
	case !ok || c.structured.IsZero() && c.blocks > 0:
		return Reading{}, false
	case c.structured.IsZero():
		return Reading{Emptiness: UndeclaredEmpty, Source: SourceShape}, true
	}
	ctx.inContent = true
	r = ctx.read(c.structured)
	if r.Emptiness == Unknown && r.RowsUnread == "" {
		r.Emptiness = valueReading(c.structured)
		r.UndeclaredShape = r.Emptiness == Unknown
	}
	if r.Emptiness != Unknown {
		r.Source = SourceShape
	}
	if r.CountedAt != nil {
		r.CountedAt = slices.Insert(r.CountedAt, 0, "structuredContent")
	}
	return r, true
}

// valueReading tells a structured value that is no list: null is nothing, any other plain value is something, and so is
// an object that says more than how the call went.
func valueReading(v servedjson.Value) Emptiness {
	switch v.Kind() {
	case servedjson.Null:
		return UndeclaredEmpty
	case servedjson.Object:
		for key := range v.Members() {
			if !slices.ContainsFunc(statusWords, key.TextIs) {
				return NonEmpty
			}
		}
		return Unknown
	}
	return NonEmpty
}

// statusWords are keys that say how a call went, not what it found.
var statusWords = []string{
	"status", "statusCode", "status_code", "code", "ok", "success", "error", "errors", "message", "msg", "detail",
	"duration", "durationMs", "duration_ms", "elapsed", "elapsedMs", "elapsed_ms", "took", "timestamp", "time",
	"requestId", "request_id", "traceId", "trace_id",
}

// cutDepth is how many objects inside one another are searched for a mark of being cut. Lists hold rows, and what a row
// says is its own affair.
const cutDepth = 3

// cutKeys are parts of the keys that say so, one of which stands in each, as it is written without escapes.
var cutKeys = [][]byte{[]byte("runcated"), []byte("as_more"), []byte("asMore"), []byte("ursor"), []byte("age_token"), []byte("ageToken")}

// mayBeCut tells whether a value may hold one of those keys: most hold none, and need not be searched.
func mayBeCut(v servedjson.Value) bool {
	raw := v.Raw()
	return slices.ContainsFunc(cutKeys, func(part []byte) bool { return bytes.Contains(raw, part) }) ||
		bytes.Contains(raw, []byte(`\u`))
}

// cutMark is the key by which an object says that it is not whole, empty when it does not say so.
func cutMark(v servedjson.Value, depth int) string {
	for key, value := range v.Members() {
		if saysCut(key, value) {
			return key.Text()
		}
		if depth > 1 {
			if mark := cutMark(value, depth-1); mark != "" {
				return mark
			}
		}
	}
	return ""
}

func saysCut(key, value servedjson.Value) bool {
	switch {
	case slices.ContainsFunc(cutFlags, key.TextIs):
		return value.Kind() == servedjson.True
	case slices.ContainsFunc(cutCounts, key.TextIs):
		return value.Kind() == servedjson.True || value.Float() > 0
	case slices.ContainsFunc(cutCursors, key.TextIs):
		return value.Kind() == servedjson.String && !blankText(value)
	}
	return false
}

// The keys that say so: by being true, by counting what is missing, by naming where the rest begins.
var (
	cutFlags   = []string{"truncated", "has_more", "hasMore"}
	cutCounts  = []string{"rows_truncated", "rowsTruncated"}
	cutCursors = []string{
		"next_cursor", "nextCursor", "next_page_token", "nextPageToken",
	}
)
