package adapter

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Content is what a message or a result holds, read of any of the forms that runtimes write it in: a text, a list of
// content blocks, or any other JSON.
type Content struct {
	// Text is the text, the blocks' texts a line each; empty when the content is other JSON.
	Text string
	// JSON is the content when it is neither a text nor a list of blocks.
	JSON event.JSON
	// Unseen tells that something of it is no text (a picture, a sound, a file that is only named), or was taken out of the
	// record.
	Unseen bool
}

// Value is the content as a result: a text is a JSON string.
func (c Content) Value() event.JSON {
	if c.JSON != nil {
		return c.JSON
	}
	return Quoted(c.Text)
}

// Quoted is a text as JSON.
func Quoted(text string) event.JSON { return servedjson.AppendQuoted(nil, []byte(text)) }

// Text is the first string that stands in an object under one of the names, empty when none does.
func Text(v servedjson.Value, names ...string) string {
	for _, name := range names {
		if found, _ := v.Get(name); found.Kind() == servedjson.String {
			return found.Text()
		}
	}
	return ""
}

// Compact is a copy of a value as event.JSON, nil for the zero Value.
func Compact(v servedjson.Value) event.JSON {
	if v.IsZero() {
		return nil
	}
	return servedjson.AppendCompact(make([]byte, 0, len(v.Raw())), v)
}

// ReadContent reads content that is a text, a block or a list of blocks, or nothing (null, or the zero Value), which is
// the empty text. The fault names the path of what it does not know; field is the path of v.
func ReadContent(v servedjson.Value, field string) (Content, *RowError) {
	switch v.Kind() {
	case servedjson.None, servedjson.Null:
		return Content{}, nil
	case servedjson.String:
		return Content{Text: v.Text()}, nil
	case servedjson.Object, servedjson.Array:
		var r blocksReader
		fault := r.read(v, field)
		return Content{Text: r.text.String(), Unseen: r.unseen}, fault
	}
	return Content{}, &RowError{Field: field, Detail: "want a text or a list of content blocks, found " + KindWord(v.Kind())}
}

// ReadResult reads the content of a result, where any JSON may stand: a list of blocks is their text, an object or a list
// of anything else is JSON. What is JSON is kept as it is, and looked through for blocks that are no text.
func ReadResult(v servedjson.Value, field string) (Content, *RowError) {
	switch v.Kind() {
	case servedjson.None, servedjson.String:
		return ReadContent(v, field)
	case servedjson.Array:
		if isBlocks(v) {
			return ReadContent(v, field)
		}
	}
	return Content{JSON: Compact(v), Unseen: holdsUnseen(v)}, nil
}

// isBlocks tells whether a value is a list of content blocks: objects with a type, of which one at least is known. An empty
// list is one: nothing came back either way.
func isBlocks(v servedjson.Value) bool {
	known, all := false, 0
	for block := range v.Elements() {
		all++
		kind, _ := block.Get("type")
		if kind.Kind() != servedjson.String {
			return false
		}
		known = known || blocks[kind.Text()] != nil
	}
	return known || all == 0
}

// holdsUnseen tells whether a result of the Model Context Protocol has a block that is no text.
func holdsUnseen(v servedjson.Value) bool {
	content, _ := v.Get("content")
	for block := range content.Elements() {
		kind, _ := block.Get("type")
		if read := blocks[kind.Text()]; read != nil {
			var r blocksReader
			if read(&r, block); r.unseen {
				return true
			}
		}
	}
	return false
}

// KindWord names a kind of value in a sentence, with its article.
func KindWord(k servedjson.Kind) string {
	switch k {
	case servedjson.None:
		return "nothing"
	case servedjson.Null:
		return "null"
	case servedjson.True, servedjson.False:
		return "a boolean"
	case servedjson.Array, servedjson.Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}
