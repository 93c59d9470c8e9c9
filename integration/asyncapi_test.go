package integration_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/schemas"
)

// asyncAPI is the document schemas/asyncapi.yaml.
type asyncAPI struct {
	root     map[string]any
	compiler *jsonschema.Compiler // has the document, and the schemas that it refers to
	compiled map[string]*jsonschema.Schema
}

// documentName is the document among the compiler's resources, beside the schemas that it refers to.
const documentName = "file:///schemas/asyncapi.yaml"

func readAsyncAPI(t testing.TB) asyncAPI {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "schemas", "asyncapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	d := asyncAPI{compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}}
	if err := yaml.Unmarshal(content, &d.root); err != nil {
		t.Fatal(err)
	}
	d.add(t, documentName, asJSON(t, d.root))
	for _, kind := range schemas.Kinds {
		d.add(t, fmt.Sprintf("file:///schemas/%s.v1.json", kind), schemas.Schema(kind))
	}
	return d
}

func (d asyncAPI) add(t testing.TB, name string, text []byte) {
	t.Helper()
	if err := d.compiler.AddResource(name, parsed(t, text)); err != nil {
		t.Fatal(err)
	}
}

func asJSON(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// parsed reads JSON as the validator wants it.
func parsed(t testing.TB, text []byte) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}

// at follows a reference into the document, and those that it meets on the way.
func (d asyncAPI) at(t testing.TB, ref string) map[string]any {
	t.Helper()
	object := d.root
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		next, ok := object[name].(map[string]any)
		if !ok {
			t.Fatalf("asyncapi.yaml: %s leads nowhere", ref)
		}
		object = next
		if onward, ok := next["$ref"].(string); ok {
			object = d.at(t, onward)
		}
	}
	return object
}

// check holds a value against the schema at a reference.
func (d asyncAPI) check(t testing.TB, ref string, value any) error {
	t.Helper()
	if d.compiled[ref] == nil {
		schema, err := d.compiler.Compile(documentName + ref)
		if err != nil {
			t.Fatal(err)
		}
		d.compiled[ref] = schema
	}
	return d.compiled[ref].Validate(value)
}

func (d asyncAPI) names(section string) []string {
	object, _ := d.root[section].(map[string]any)
	return slices.Sorted(maps.Keys(object))
}

// TestAsyncAPIIsValid holds the document against AsyncAPI's own schema of its documents.
func TestAsyncAPIIsValid(t *testing.T) {
	content, err := os.ReadFile("testdata/asyncapi/3.0.0.json")
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("file:///3.0.0.json", parsed(t, content)); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("file:///3.0.0.json")
	if err != nil {
		t.Fatal(err)
	}
	d := readAsyncAPI(t)
	if err := schema.Validate(parsed(t, asJSON(t, d.root))); err != nil {
		t.Error(err)
	}
	delete(d.at(t, "#/channels/events"), "address")
	d.at(t, "#/channels/events")["addresses"] = "x"
	if schema.Validate(parsed(t, asJSON(t, d.root))) == nil {
		t.Error("a wrong document is valid: the schema holds nothing")
	}
}

// TestAsyncAPIHoldsTogether: each reference leads somewhere, and an address names the parameters that its channel has.
func TestAsyncAPIHoldsTogether(t *testing.T) {
	d := readAsyncAPI(t)
	for _, ref := range references(d.root) {
		if strings.HasPrefix(ref, "#") {
			d.at(t, ref)
		} else if _, err := os.Stat(filepath.Join(root, "schemas", ref)); err != nil {
			t.Errorf("%s: %v", ref, err)
		}
	}
	named := regexp.MustCompile(`\{(\w+)\}`)
	for _, channel := range d.names("channels") {
		object := d.at(t, "#/channels/"+channel)
		var inAddress []string
		address, _ := object["address"].(string)
		for _, found := range named.FindAllStringSubmatch(address, -1) {
			inAddress = append(inAddress, found[1])
		}
		slices.Sort(inAddress)
		parameters, _ := object["parameters"].(map[string]any)
		if diff := cmp.Diff(inAddress, slices.Sorted(maps.Keys(parameters))); diff != "" {
			t.Errorf("%s: the address and the parameters differ:\n%s", channel, diff)
		}
	}
}

func references(value any) (found []string) {
	switch v := value.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			found = append(found, ref)
		}
		for _, inner := range v {
			found = append(found, references(inner)...)
		}
	case []any:
		for _, inner := range v {
			found = append(found, references(inner)...)
		}
	}
	return found
}

// parameter is where an address leaves a token open.
var parameter = regexp.MustCompile(`\\\{\w+\\\}`)

// addresses gives, by channel, what matches the subjects of a deployment with the prefix.
func (d asyncAPI) addresses(t testing.TB, prefix string) map[string]*regexp.Regexp {
	t.Helper()
	matching := map[string]*regexp.Regexp{}
	for _, channel := range d.names("channels") {
		address, ok := d.at(t, "#/channels/"+channel)["address"].(string)
		if !ok {
			continue // wherever the asker says
		}
		address = regexp.QuoteMeta(strings.Replace(address, "{prefix}", prefix, 1))
		matching[channel] = regexp.MustCompile("^" + parameter.ReplaceAllString(address, `[A-Za-z0-9_~%-]+`) + "$")
	}
	return matching
}

// channelsOf gives the channels whose address a subject matches.
func channelsOf(addresses map[string]*regexp.Regexp, subject string) (found []string) {
	for channel, address := range addresses {
		if address.MatchString(subject) {
			found = append(found, channel)
		}
	}
	slices.Sort(found)
	return found
}

// TestAsyncAPISubjects: whatever is published is published on a subject of one channel. Every method of event.Subjects is
// either of a channel here, or said not to make a subject that something is published on.
func TestAsyncAPISubjects(t *testing.T) {
	d := readAsyncAPI(t)
	others := []string{"AllEvents", "AllLogs", "AllAudits", "AllDead", "PartitionLogs", "SomeLogs", "SomeAudits", "ParseAudit", "ParseConversation"}
	made := map[string]string{"Event": "events", "Log": "storedEvents", "Verdict": "verdicts", "Coverage": "declarations", "Dead": "deadLetters", "Explain": "explain"}
	for method := range reflect.TypeFor[event.Subjects]().Methods() {
		if made[method.Name] == "" && !slices.Contains(others, method.Name) {
			t.Errorf("event.Subjects.%s: add it here, and its channel to asyncapi.yaml when it makes a subject", method.Name)
		}
	}
	for _, prefix := range []string{event.DefaultPrefix, "plumb", "events.audit"} {
		addresses := d.addresses(t, prefix)
		for _, name := range []string{"acme", "", "a.b", "*", ">", "é \x00", "events", "evidence_checked"} {
			s, c := event.Subjects{Prefix: prefix}, event.Conversation{Tenant: name, Agent: "events", ID: name}
			subjects := map[string]string{
				"Event": s.Event(c), "Log": s.Log(3, c), "Verdict": s.Verdict(name, c, 1, 0), "Coverage": s.Coverage(name, c, 1, name), "Dead": s.Dead("invalid", 7),
				"Explain": s.Explain(),
			}
			for method, subject := range subjects {
				if got := channelsOf(addresses, subject); !slices.Equal(got, []string{made[method]}) {
					t.Errorf("%s is of the channels %q, want %s", subject, got, made[method])
				}
			}
		}
	}
	if got := d.addresses(t, event.DefaultPrefix); len(got) != len(made) {
		t.Errorf("channels %q: %d are held here", slices.Sorted(maps.Keys(got)), len(made))
	}
}

// TestAsyncAPIReasons holds the reasons of dead letters against the closed list of them.
func TestAsyncAPIReasons(t *testing.T) {
	d := readAsyncAPI(t)
	for _, reasons := range []any{
		d.at(t, "#/components/parameters/reason")["enum"],
		d.at(t, "#/components/schemas/letterHeaders/properties/Plumbline-Reason")["enum"],
	} {
		var said []string
		for _, reason := range reasons.([]any) {
			said = append(said, reason.(string))
		}
		if diff := cmp.Diff(pipeline.Reasons, said); diff != "" {
			t.Errorf("the reasons differ:\n%s", diff)
		}
	}
}

// messagesOf gives the messages of a channel that a stored message is one of, by its headers and its payload.
func (d asyncAPI) messagesOf(t testing.TB, channel string, m pipeline.Message) (found []string, faults error) {
	t.Helper()
	messages := d.at(t, "#/channels/"+channel)["messages"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(messages)) {
		ref := messages[name].(map[string]any)["$ref"].(string)
		if err := d.checkMessage(t, ref, m); err != nil {
			faults = errors.Join(faults, fmt.Errorf("%s: %w", name, err))
		} else {
			found = append(found, name)
		}
	}
	return found, faults
}

func (d asyncAPI) checkMessage(t testing.TB, ref string, m pipeline.Message) error {
	t.Helper()
	headers := map[string]any{}
	for name, values := range m.Header {
		headers[name] = strings.Join(values, ", ")
	}
	if err := d.check(t, ref+"/headers", headers); err != nil {
		return err
	}
	message, text := d.at(t, ref), m.Data
	if message["contentType"] == "application/octet-stream" {
		return nil
	}
	if message["contentType"] == schemas.Msgpack {
		text = unpacked(t, m.Data)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	if message["payload"].(map[string]any)["schema"] == nil {
		return d.check(t, ref+"/payload", value)
	}
	return d.check(t, ref+"/payload/schema", value)
}

// undescribed gives the headers of a message that its schema does not name.
func (d asyncAPI) undescribed(t testing.TB, ref string, m pipeline.Message) (names []string) {
	t.Helper()
	headers := d.at(t, ref+"/headers")
	properties := headers["properties"].(map[string]any)
	patterns, _ := headers["patternProperties"].(map[string]any)
	for name := range m.Header {
		matches := func(pattern string) bool { return regexp.MustCompile(pattern).MatchString(name) }
		if properties[name] == nil && !slices.ContainsFunc(slices.Collect(maps.Keys(patterns)), matches) {
			names = append(names, name)
		}
	}
	return names
}

// TestAsyncAPIEnvelopes: each envelope of a recording is one message of the channel that it is published on, and only one.
func TestAsyncAPIEnvelopes(t *testing.T) {
	d := readAsyncAPI(t)
	content, err := os.ReadFile(filepath.Join(root, "schemas", "adapter", "formats", "testdata", "same", "agentfootprint.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines(content) {
		if got, err := d.messagesOf(t, "events", pipeline.Message{Data: line}); !slices.Equal(got, []string{"envelope"}) {
			t.Errorf("%s is of the messages %q: %v", line, got, err)
		}
	}
}

// kindOf is the event that a message of the document says.
func kindOf(message map[string]any) event.Kind {
	ref := message["payload"].(map[string]any)["schema"].(map[string]any)["$ref"].(string)
	return event.Kind(strings.TrimSuffix(path.Base(ref), ".v1.json"))
}
