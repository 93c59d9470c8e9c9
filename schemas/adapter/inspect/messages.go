package inspect

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// talk is the conversation of a sample.
type talk struct {
	adapter.Talk
	cut       map[string]bool             // calls whose results were cut before the model read them
	submitted map[string]bool             // calls by which the agent gave its answer
	attached  map[string]servedjson.Value // contents that stand apart, by their names
}

// message reads one message.
func (c talk) message(m servedjson.Value, field string) {
	content, _ := m.Get("content")
	at := field + ".content"
	switch role := adapter.Text(m, "role"); role {
	case "system":
		c.App(c.text(content, at))
	case "user":
		c.user(m, content, at)
	case "assistant":
		c.Step("")
		c.written(content, at)
		c.calls(m, field)
	case "tool":
		c.result(m, content, field)
	default:
		c.Fault(field+".role", "role "+adapter.Quote(role)+" is not known")
	}
}

// user tells a message of the person. One that holds what a call gave begins no turn.
func (c talk) user(m, content servedjson.Value, field string) {
	text := c.text(content, field)
	if of, _ := m.Get("tool_call_id"); of.Kind() == servedjson.Array && of.Len() > 0 {
		c.App(text)
		return
	}
	c.Person(text)
}

// text reads a text, or the texts of a list of contents, and says what of it was not seen.
func (c talk) text(content servedjson.Value, field string) string {
	read, fault := c.read(content, field)
	c.Note(read, fault)
	return read.Text
}

// read reads content, with what stands apart put in its place.
func (c talk) read(content servedjson.Value, field string) (adapter.Content, *adapter.RowError) {
	if content.Kind() == servedjson.String {
		return c.apart(adapter.Content{Text: content.Text()}), nil
	}
	if content.Kind() != servedjson.Array {
		return adapter.ReadContent(content, field)
	}
	whole := adapter.Content{}
	var texts []string
	var first *adapter.RowError
	for at, item := range adapter.Items(content, field) {
		if kind := adapter.Text(item, "type"); quiet[kind] {
			whole.Unseen = whole.Unseen || kind == "video"
			continue
		}
		read, fault := adapter.ReadContent(item, at)
		if item.Kind() == servedjson.Null {
			fault = &adapter.RowError{Field: at, Detail: "want a content block, found null"}
		}
		if fault != nil && first == nil {
			first = fault
		}
		read = c.apart(read)
		whole.Unseen = whole.Unseen || read.Unseen || fault != nil
		if read.Text != "" {
			texts = append(texts, read.Text)
		}
	}
	whole.Text = strings.Join(texts, "\n")
	return whole, first
}

// quiet are the contents that say nothing an answer could rest on, or are no text: thoughts, and what only a provider reads.
var quiet = map[string]bool{"reasoning": true, "data": true, "video": true}

// mark begins a text that stands apart, before its name.
const mark = "attachment://"

// apart puts in a text that stands apart.
func (c talk) apart(read adapter.Content) adapter.Content {
	name, refers := strings.CutPrefix(read.Text, mark)
	if !refers {
		return read
	}
	if kept := c.attached[name]; kept.Kind() == servedjson.String {
		return adapter.Content{Text: kept.Text(), Unseen: read.Unseen}
	}
	return adapter.Content{Unseen: true}
}

// attachments are the texts that stand apart from the messages of a sample.
func attachments(sample servedjson.Value) map[string]servedjson.Value {
	all := map[string]servedjson.Value{}
	kept, _ := sample.Get("attachments")
	for name, text := range kept.Members() {
		all[name.Text()] = text
	}
	return all
}

// written reads what the agent wrote. A tool that the provider ran stands in it with its result: what follows is a step of its
// own.
func (c talk) written(content servedjson.Value, field string) {
	if content.Kind() != servedjson.Array {
		c.Say(c.text(content, field))
		return
	}
	for at, item := range adapter.Items(content, field) {
		switch kind := adapter.Text(item, "type"); {
		case kind == "text":
			c.Say(c.text(item, at))
		case kind == "tool_use":
			c.hosted(item, at)
		case quiet[kind], kind == "image", kind == "audio", kind == "document":
		default:
			c.Fault(at+".type", "content of type "+adapter.Quote(kind)+" is not known")
		}
	}
}

// hosted tells a call that the provider ran.
func (c talk) hosted(item servedjson.Value, field string) {
	id := adapter.Text(item, "id")
	if id == "" {
		c.Fault(field+".id", "is missing: the result of this call cannot be told")
		return
	}
	args, _ := item.Get("arguments")
	c.Call(id, adapter.Text(item, "name"), adapter.Compact(args), nil)
	end := event.ToolEnd{}
	if wrong := adapter.Text(item, "error"); wrong != "" {
		end.Error = adapter.Quoted(wrong)
	}
	came, has := item.Get("result")
	if !has && end.Error == nil {
		end.Result, end.Status = event.JSON("null"), event.StatusNotCaptured
		c.Result(id, end)
	} else {
		read, fault := adapter.ReadResult(came, field+".result")
		end.Result = read.Value()
		c.Result(id, end)
		if fault != nil || read.Unseen {
			c.Unseen(event.ContentNotCaptured)
		}
	}
	c.Step("")
}
