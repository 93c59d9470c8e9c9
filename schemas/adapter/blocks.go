package adapter

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// blocksReader collects what content blocks hold.
type blocksReader struct {
	text   strings.Builder
	lines  int
	unseen bool
}

// read reads one block or a list of them. It goes on after a fault, and gives the first.
func (r *blocksReader) read(v servedjson.Value, field string) (fault *RowError) {
	if v.Kind() == servedjson.Object {
		return r.add(v, field)
	}
	for at, block := range Items(v, field) {
		if err := r.add(block, at); err != nil && fault == nil {
			fault = err
		}
	}
	return fault
}

// add reads one block. What is not known of it was not seen.
func (r *blocksReader) add(v servedjson.Value, field string) *RowError {
	if v.Kind() == servedjson.String { // a list of texts, as some emitters write it
		r.line(v)
		return nil
	}
	kind, _ := v.Get("type")
	read := blocks[kind.Text()]
	switch {
	case v.Kind() != servedjson.Object:
		r.unseen = true
		return &RowError{Field: field, Detail: "want a content block, found " + KindWord(v.Kind())}
	case read == nil:
		r.unseen = true
		return &RowError{Field: field + ".type", Detail: "content block " + Quote(kind.Text()) + " is not known"}
	}
	if wrong := read(r, v); wrong != "" {
		r.unseen = true
		return &RowError{Field: field + "." + wrong, Detail: "want a string"}
	}
	return nil
}

// line adds a text on a line of its own; what is no string adds nothing.
func (r *blocksReader) line(text servedjson.Value) {
	if text.Kind() == servedjson.String {
		r.bytes(text.TextBytes(nil))
	}
}

func (r *blocksReader) bytes(text []byte) {
	if r.lines > 0 {
		r.text.WriteByte('\n')
	}
	r.lines++
	r.text.Write(text)
}

// readBlock reads a block of one type. It names the field that is not what it must be, "" when all is well.
type readBlock func(r *blocksReader, block servedjson.Value) (wrong string)

// blocks are the content blocks that are known, by type: those of OpenAI (Chat Completions, Responses), of Anthropic
// (Messages) and of the Model Context Protocol (CallToolResult), as their schemas name them in late 2026.
var blocks = map[string]readBlock{
	"text": field("text"), "input_text": field("text"), "output_text": field("text"), "refusal": field("refusal"),
	"image": unseen, "image_url": unseen, "input_image": unseen, "output_image": unseen, "audio": unseen,
	"input_audio": unseen, "input_file": unseen, "file": unseen, "computer_screenshot": unseen, "container_upload": unseen,
	"resource": resource, "resource_link": whole, "search_result": whole, "document": document,
	"tool_reference": nothing,
}

func field(name string) readBlock {
	return func(r *blocksReader, block servedjson.Value) string {
		text, _ := block.Get(name)
		if text.Kind() != servedjson.String {
			return name
		}
		r.line(text)
		return ""
	}
}

// unseen is a block that holds no text, or names what is not in the record.
func unseen(r *blocksReader, _ servedjson.Value) string {
	r.unseen = true
	return ""
}

// nothing is a block that holds nothing that an answer could rest on.
func nothing(*blocksReader, servedjson.Value) string { return "" }

// whole is a block that the model is shown with all its fields.
func whole(r *blocksReader, block servedjson.Value) string {
	r.bytes(Compact(block))
	return ""
}

// resource is an embedded resource of the Model Context Protocol: a text, or bytes.
func resource(r *blocksReader, block servedjson.Value) string {
	inner, _ := block.Get("resource")
	text, _ := inner.Get("text")
	r.unseen = r.unseen || text.Kind() != servedjson.String
	r.line(text)
	return ""
}

// document is Anthropic's: its source is a text, a text or blocks of text and pictures, or what is not in the record.
func document(r *blocksReader, block servedjson.Value) string {
	for _, name := range []string{"title", "context"} {
		said, _ := block.Get(name)
		r.line(said)
	}
	source, _ := block.Get("source")
	data, _ := source.Get("data")
	content, _ := source.Get("content")
	switch kind, _ := source.Get("type"); {
	case kind.TextIs("text") && data.Kind() == servedjson.String:
		r.line(data)
	case kind.TextIs("content") && content.Kind() == servedjson.String:
		r.line(content)
	case kind.TextIs("content") && content.Kind() == servedjson.Array:
		r.texts(content)
	default:
		r.unseen = true
	}
	return ""
}

// texts reads blocks of which only the texts are read.
func (r *blocksReader) texts(list servedjson.Value) {
	for block := range list.Elements() {
		text, _ := block.Get("text")
		r.unseen = r.unseen || text.Kind() != servedjson.String
		r.line(text)
	}
}
