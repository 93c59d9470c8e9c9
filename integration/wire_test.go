package integration_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"go.yaml.in/yaml/v3"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

var update = flag.Bool("update", false, "write what the code gives into the pages under docs/wire")

// part is a part of a page that code writes: its name after what it is, and what stands between the marks.
var part = regexp.MustCompile(`(?s)<!-- (message|fields|headers) (\w+) -->\n(.*?)<!-- end -->`)

// published are the messages of the pages that go in, in the order in which they are published.
var published = []string{"turn_start", "tool_end", "tool_end_absence", "answer", "unreadable"}

// TestWirePages holds docs/wire against the code: the events of the pages are published, and what is stored of them, and
// published because of them, is what the pages show. The tables are those of the schemas and of asyncapi.yaml.
func TestWirePages(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "wire", "*.md"))
	if err != nil || len(files) < 7 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	pages, parts := map[string]string{}, map[string]string{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages[file] = string(content)
		for _, found := range part.FindAllStringSubmatch(pages[file], -1) {
			parts[found[1]+" "+found[2]] = found[3]
		}
	}
	want := tables(t)
	maps.Copy(want, messages(t, parts))
	if got, all := slices.Sorted(maps.Keys(parts)), slices.Sorted(maps.Keys(want)); !slices.Equal(got, all) {
		t.Errorf("the pages have the parts %q, the code gives %q", got, all)
	}
	for file, page := range pages {
		again := part.ReplaceAllStringFunc(page, func(old string) string {
			found := part.FindStringSubmatch(old)
			return fmt.Sprintf("<!-- %s %s -->\n%s<!-- end -->", found[1], found[2], want[found[1]+" "+found[2]])
		})
		if *update {
			if err := os.WriteFile(file, []byte(again), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if diff := cmp.Diff(strings.Split(page, "\n"), strings.Split(again, "\n")); diff != "" {
			t.Errorf("%s is not what the code gives (-update writes it):\n%s", file, diff)
		}
	}
}

// messages publishes what goes in and gives every message, as the pages show it.
func messages(t *testing.T, parts map[string]string) map[string]string {
	t.Helper()
	d := deploy(t)
	for _, name := range published {
		m, err := shownMessage(parts["message "+name])
		if err != nil {
			t.Fatalf("docs/wire: %s: %v", name, err)
		}
		if e, err := schemas.DecodeMessage(m.Header, m.Data); name != "unreadable" && (err != nil || m.Subject != (event.Subjects{}).Event(e.Conversation)) {
			t.Errorf("%s: %v, published on %s", name, err, m.Subject)
		}
		if _, err := d.js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	stop := d.start(t)
	waitFor(t, func() bool { return d.count(t, jet.AuditStream) == 2 && d.count(t, jet.DeadStream) == 1 })
	stop()

	shown := map[string]string{}
	for i, m := range d.stored(t, jet.EventsStream, "events", "storedEvents") {
		c, err := event.Subjects{}.ParseConversation(m.Subject)
		if err != nil {
			t.Fatal(err)
		}
		m.Subject = event.Subjects{}.Event(c) // a page shows where its event is published
		shown["message "+published[i]] = show(t, m)
	}
	for _, m := range d.stored(t, jet.AuditStream, "verdicts", "declarations") {
		shown["message "+strings.Split(m.Subject, ".")[2]] = show(t, m)
	}
	for _, m := range d.stored(t, jet.DeadStream, "deadLetters") {
		shown["message dead_letter"] = show(t, m)
	}
	return shown
}

// stored reads a stream, and holds that each message is one message of one of the channels in asyncapi.yaml, that the
// channel is of the stream, and that the document names each of its headers.
func (d *deployment) stored(t *testing.T, stream string, channels ...string) (all []pipeline.Message) {
	t.Helper()
	document := readAsyncAPI(t)
	addresses := document.addresses(t, event.DefaultPrefix)
	err := jet.ReadAll(t.Context(), d.js, stream, "", func(m pipeline.Message) error {
		all = append(all, m)
		of := channelsOf(addresses, m.Subject)
		if len(of) != 1 || !slices.Contains(channels, of[0]) {
			t.Errorf("%s is of the channels %q, want one of %q", m.Subject, of, channels)
			return nil
		}
		channel := "#/channels/" + of[0]
		if said := document.at(t, channel)["x-stream"]; said != stream {
			t.Errorf("%s: x-stream is %v, want %s", of[0], said, stream)
		}
		fits, err := document.messagesOf(t, of[0], m)
		if unread := stream == jet.EventsStream && bytes.Contains(m.Data, []byte(`"second"`)); len(fits) != 1 && !unread || unread && len(fits) != 0 {
			t.Errorf("%s is of the messages %q: %v", m.Subject, fits, err)
		}
		for _, name := range fits {
			if left := document.undescribed(t, channel+"/messages/"+name, m); len(left) > 0 {
				t.Errorf("%s: asyncapi.yaml does not name its headers %q", name, left)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// shown is a message as a page shows it: its subject and its headers, a line each, and its payload.
var shown = regexp.MustCompile("(?s)^```text\n(.*?)```\n```json\n(.*?)\n```\n$")

func shownMessage(text string) (*nats.Msg, error) {
	found := shown.FindStringSubmatch(text)
	if found == nil {
		return nil, errors.New("want a block of text with the subject and the headers, and a block of JSON")
	}
	head := strings.Split(strings.TrimSpace(found[1]), "\n")
	m := nats.NewMsg(head[0])
	for _, line := range head[1:] {
		name, value, _ := strings.Cut(line, ": ")
		m.Header.Set(name, value)
	}
	m.Data = []byte(found[2])
	return m, nil
}

func show(t *testing.T, m pipeline.Message) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "```text\n%s\n", m.Subject)
	for _, name := range slices.Sorted(maps.Keys(m.Header)) {
		for _, value := range m.Header[name] {
			fmt.Fprintf(&out, "%s: %s\n", name, value)
		}
	}
	fmt.Fprintf(&out, "```\n```json\n%s\n```\n", laidOut(t, m.Data))
	return out.String()
}

// laidOut writes an object with a line for each member, and for each item of a list of objects.
func laidOut(t *testing.T, data []byte) string {
	t.Helper()
	var lines []string
	err := eachMember(data, func(name, value jsontext.Value) error {
		line := jsontext.SpaceAfterComma(true)
		if err := value.Format(jsontext.Multiline(false), line, jsontext.SpaceAfterColon(true)); err != nil {
			return err
		}
		text := strings.ReplaceAll(string(value), "}, {", "},\n    {")
		lines = append(lines, fmt.Sprintf("  %s: %s", name, text))
		return nil
	})
	if err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}

func eachMember(data []byte, visit func(name, value jsontext.Value) error) error {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		name = name.Clone()
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		if err := visit(name, value.Clone()); err != nil {
			return err
		}
	}
	return nil
}

// tables gives the tables of fields and of headers.
func tables(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, kind := range schemas.Kinds {
		all["fields "+string(kind)] = fieldsTable(t, schemas.Schema(kind), "")
	}
	content, err := os.ReadFile(filepath.Join(root, "schemas", "asyncapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"eventHeaders", "recordHeaders", "letterHeaders"} {
		all["headers "+name] = fieldsTable(t, content, "#/components/schemas/"+name)
	}
	return all
}

// fieldsTable lists what the object schema at a reference says of each field, in its order. Those that must be there are
// marked.
func fieldsTable(t *testing.T, document []byte, ref string) string {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		t.Fatal(err)
	}
	s := schemaTable{root: root.Content[0]}
	s.out.WriteString("| field | | what it says |\n|---|---|---|\n")
	s.fields(s.at(ref), "")
	return s.out.String()
}

type schemaTable struct {
	root *yaml.Node
	out  strings.Builder
}

// at follows a reference from the document's root.
func (s *schemaTable) at(ref string) *yaml.Node {
	n := s.root
	for name := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
		if name != "" && n != nil {
			n = child(n, name)
		}
	}
	return n
}

// child is the value of a member of a mapping, nil when it has none of the name.
func child(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func (s *schemaTable) fields(schema *yaml.Node, path string) {
	must := map[string]bool{}
	if required := child(schema, "required"); required != nil {
		for _, name := range required.Content {
			must[name.Value] = true
		}
	}
	for _, section := range []string{"properties", "patternProperties"} {
		properties := child(schema, section)
		for i := 0; properties != nil && i+1 < len(properties.Content); i += 2 {
			name := strings.TrimPrefix(properties.Content[i].Value, "^")
			if section == "patternProperties" {
				name += "…"
			}
			s.field(path+name, must[name], properties.Content[i+1])
		}
	}
}

func (s *schemaTable) field(path string, must bool, schema *yaml.Node) {
	if ref := child(schema, "$ref"); ref != nil {
		schema = s.at(ref.Value)
	}
	word := ""
	if must {
		word = "must"
	}
	said := ""
	if description := child(schema, "description"); description != nil {
		said = strings.ReplaceAll(description.Value, "|", `\|`)
	}
	fmt.Fprintf(&s.out, "| `%s` | %s | %s |\n", path, word, said)
	s.fields(schema, path+".")
	if items := child(schema, "items"); items != nil {
		if ref := child(items, "$ref"); ref != nil {
			items = s.at(ref.Value)
		}
		s.fields(items, path+"[].")
	}
}
