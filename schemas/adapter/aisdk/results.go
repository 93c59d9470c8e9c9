package aisdk

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// results reads a message of role tool.
func (c talk) results(content servedjson.Value, field string) {
	if content.Kind() != servedjson.Array {
		c.Fault(field, "want a list of tool results, found "+adapter.KindWord(content.Kind()))
		return
	}
	for at, part := range adapter.Items(content, field) {
		switch kind := adapter.Text(part, "type"); {
		case kind == "tool-result":
			c.result(part, at)
		case !quiet[kind]:
			c.Fault(at+".type", "part of type "+adapter.Quote(kind)+" is not known")
		}
	}
}

// result tells a tool-result part. Version 4 wrote result and isError in the place of output.
func (c talk) result(part servedjson.Value, field string) {
	id := adapter.Text(part, "toolCallId")
	if id == "" {
		c.Fault(field+".toolCallId", "is missing: the call of this result cannot be told")
		return
	}
	end := event.ToolEnd{Call: event.Call{Tool: adapter.Text(part, "toolName")}}
	output, named := part.Get("output")
	if !named {
		c.older(part, id, end, field)
		return
	}
	read, fault := outputOf(output, &end, field+".output")
	end.Result = read.Value()
	c.Result(id, end)
	c.Note(read, fault)
}

// older tells a result as version 4 wrote it: any JSON.
func (c talk) older(part servedjson.Value, id string, end event.ToolEnd, field string) {
	came, has := part.Get("result")
	if !has {
		c.Fault(field+".output", "is missing")
		return
	}
	if failed, _ := part.Get("isError"); failed.Kind() == servedjson.True {
		end.Error = event.JSON("true")
	}
	read, fault := given(came, field+".result")
	end.Result = read.Value()
	c.Result(id, end)
	c.Note(read, fault)
}

// given reads what a tool gave: any JSON. A list is one, and no content blocks: those stand in an output of type content, or in
// a result of the Model Context Protocol.
func given(came servedjson.Value, field string) (adapter.Content, *adapter.RowError) {
	if came.Kind() == servedjson.Array {
		return adapter.Content{JSON: adapter.Compact(came)}, nil
	}
	return adapter.ReadResult(came, field)
}

// outputOf reads {type, value} as the model was served it, and says of a call that failed or was denied that it did.
func outputOf(output servedjson.Value, end *event.ToolEnd, field string) (adapter.Content, *adapter.RowError) {
	kind := adapter.Text(output, "type")
	value, has := output.Get("value")
	switch {
	case kind == "execution-denied":
		end.Error = event.JSON("true")
		return adapter.Content{Text: adapter.Text(output, "reason")}, nil
	case !outputs[kind]:
		return adapter.Content{Unseen: true}, &adapter.RowError{Field: field + ".type", Detail: "output of type " + adapter.Quote(kind) + " is not known"}
	case !has:
		return adapter.Content{Unseen: true}, &adapter.RowError{Field: field + ".value", Detail: "is missing"}
	}
	if strings.HasPrefix(kind, "error-") {
		end.Error = event.JSON("true")
	}
	switch kind {
	case "content":
		return adapter.ReadContent(served(value), field+".value")
	case "json", "error-json":
		return adapter.Content{JSON: adapter.Compact(value)}, nil
	}
	return adapter.ReadContent(value, field+".value")
}

// outputs are the types of output that hold a value.
var outputs = map[string]bool{"text": true, "json": true, "error-text": true, "error-json": true, "content": true}

// media are the items of an output of type content that are no text.
var media = map[string]bool{
	"media": true, "file": true, "file-data": true, "file-url": true, "file-id": true, "file-reference": true,
	"image-data": true, "image-url": true, "image-file-id": true, "image-file-reference": true, "custom": true,
}

// served gives the items of an output as content blocks: one that is no text is a file.
func served(items servedjson.Value) servedjson.Value {
	if items.Kind() != servedjson.Array {
		return items
	}
	list := []byte{'['}
	for item := range items.Elements() {
		if len(list) > 1 {
			list = append(list, ',')
		}
		if media[adapter.Text(item, "type")] {
			list = append(list, `{"type":"file"}`...)
			continue
		}
		list = append(list, item.Raw()...)
	}
	blocks, _ := servedjson.Parse(append(list, ']')) // put together from complete values
	return blocks
}
