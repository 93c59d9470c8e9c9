package turn

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/evidence"
)

// private is a conversation in which every field of a verdict and of a declaration that holds what was said is filled. All
// of it holds 770 or private.
const private dialogue = `
	user 1 where is the private parcel 77012?
	app 1 be private
	row 1 a@0 {"order":77034,"share":77.0641,"gate":"private-7705"}
	row 1 b@0 {"af_absent":true,"looked_for":"private parcel 77012","checked":[{"what":"private shelf 77061"}],"not_checked":[{"what":"private 7706","why":"private"}]}
	answer 1@1 order 77034, not 77039; share 77.064 %, private-7705; it is 8 of 77044`

// valuesOf folds the conversation under the policy and gives all that is published of it, as JSON.
func valuesOf(t *testing.T, p Policy, tenant string) (text string, rules *Rules) {
	t.Helper()
	p.Ruleset, p.Evidence = Calibrated1, evidence.GateConfig{Figures: true}
	rules, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	s := private.fold(t, rules)
	s.conversation.Tenant = tenant
	b, err := json.MarshalIndent([]any{judge(t, s, 1, 1), s.Coverage(1, "b")}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b), rules
}

var key = []byte("0123456789abcdef")

var aHash = regexp.MustCompile(`hmac:[0-9a-f]{32}`)

func TestValues(t *testing.T) {
	full, _ := valuesOf(t, Policy{}, "acme")
	for _, field := range []string{`"unsupported"`, `"near"`, `"computed"`, `"from"`, `"carriedBy"`, `"lookedFor"`, `"checked"`, `"notChecked"`} {
		if !strings.Contains(full, field) {
			t.Errorf("the conversation has no %s: the test shows less than it should\n%s", field, full)
		}
	}
	none, _ := valuesOf(t, Policy{Values: ValuesNone}, "acme")
	hashed, _ := valuesOf(t, Policy{Values: ValuesHashed, ValuesKey: key}, "acme")
	for how, text := range map[string]string{"none": none, "hashed": hashed} {
		if strings.Contains(text, "770") || strings.Contains(text, "private") {
			t.Errorf("%s says what was said:\n%s", how, text)
		}
	}
	if n := strings.Count(full, `"value"`); n != strings.Count(none, WithheldValue)-strings.Count(none, `"from"`) || n > len(aHash.FindAllString(hashed, -1)) {
		t.Errorf("%d values; withheld\n%s\nhashed\n%s", n, none, hashed)
	}
	if blank := aHash.ReplaceAllString(hashed, WithheldValue); countsOf(blank) != countsOf(none) || countsOf(none) != countsOf(full) {
		t.Errorf("more than the values differs:\n%s\n%s\n%s", countsOf(full), countsOf(none), countsOf(blank))
	}
}

// countsOf are the lines of a text that are no value, no declared part and no digest.
func countsOf(text string) string {
	return strings.Join(regexp.MustCompile(`(?m)^ *"(outcome|action|candidates|lookedUp|fromThisTurn|shape|derivation|call|turn|kind|emptiness|through)":.*$`).FindAllString(text, -1), "\n")
}

// One value has one hash, in every place and every spelling that the readers take for the same; with another key, or for
// another tenant, it has another.
func TestHashedValues(t *testing.T) {
	of := func(p Policy, tenant string) string {
		p.Values = ValuesHashed
		text, _ := valuesOf(t, p, tenant)
		return strings.Join(aHash.FindAllString(text, -1), " ")
	}
	first := of(Policy{ValuesKey: key}, "acme")
	if again := of(Policy{ValuesKey: key}, "acme"); again != first {
		t.Error("the same key gives other hashes")
	}
	for what, other := range map[string]string{
		"another key": of(Policy{ValuesKey: []byte("fedcba9876543210")}, "acme"), "another tenant": of(Policy{ValuesKey: key}, "zoo"),
	} {
		if shared := aHash.FindString(other); strings.Contains(first, shared) || len(other) != len(first) {
			t.Errorf("%s: %s stands in both", what, shared)
		}
	}
}

// How values are carried is part of the policy that a verdict names, the key as well; the key itself is not in it.
func TestValuesAreOfThePolicy(t *testing.T) {
	digests := map[string]string{}
	for name, p := range map[string]Policy{
		"full": {}, "none": {Values: ValuesNone}, "hashed": {Values: ValuesHashed, ValuesKey: key},
		"hashed with another key": {Values: ValuesHashed, ValuesKey: []byte("fedcba9876543210")},
	} {
		_, rules := valuesOf(t, p, "acme")
		if before, ok := digests[rules.Digest()]; ok {
			t.Errorf("%s and %s have one digest", before, name)
		}
		digests[rules.Digest()] = name
	}
	_, said := valuesOf(t, Policy{Values: ValuesFull, ValuesKey: key, ValuesKeyID: "x"}, "acme")
	if digests[said.Digest()] != "full" {
		t.Error("a key that is not used, or a default that is said, changes the digest")
	}
	for _, p := range []Policy{{Ruleset: Literal1, Values: "some"}, {Ruleset: Literal1, Values: ValuesHashed}, {Ruleset: Literal1, Values: ValuesHashed, ValuesKey: []byte("short")}} {
		if _, err := p.Compile(); err == nil || !strings.HasPrefix(err.Error(), "policy: values") {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
