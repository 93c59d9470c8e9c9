package turn

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/plumbline-dev/plumbline/core/coverage"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
)

// What verdicts and declarations carry of what was said: the values that were looked up, and what tools declared.
const (
	ValuesFull   = "full"   // as they are
	ValuesHashed = "hashed" // a keyed hash of each: see Policy.ValuesKey
	ValuesNone   = "none"   // nothing
)

// WithheldValue stands where a value would, under ValuesNone.
const WithheldValue = "[withheld]"

// hashPrefix opens a hashed value; 128 bits of HMAC-SHA-256 in hexadecimal follow.
const hashPrefix = "hmac:"

// MinValuesKey is the least length of a key, in bytes. Values are short: whoever can guess the key can try them all.
const MinValuesKey = 16

// validateValues holds what the policy says of values.
func (p Policy) validateValues() error {
	switch p.Values {
	case ValuesFull, ValuesNone:
		return nil
	case ValuesHashed:
		if len(p.ValuesKey) == 0 {
			return errors.New("policy: values: hashed needs a key: name its file with --values-key")
		}
		if len(p.ValuesKey) < MinValuesKey {
			return fmt.Errorf("policy: values: the key for hashed has %d bytes, and needs %d", len(p.ValuesKey), MinValuesKey)
		}
		return nil
	}
	return fmt.Errorf("policy: values %q is none of %s, %s and %s", p.Values, ValuesFull, ValuesHashed, ValuesNone)
}

// keyID tells keys apart without giving them away: verdicts that were hashed with another key name another policy.
func keyID(key []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("plumbline: which key"))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// say is a value as a verdict carries it: clipped, hashed or withheld.
func (s *State) say(value string) string {
	switch s.rules.policy.Values {
	case ValuesHashed:
		return s.hashed([]byte(value))
	case ValuesNone:
		return WithheldValue
	}
	return evidence.Clip(value)
}

// hashed is the keyed hash of a text, the same for the same text of the same tenant. Another tenant's is another, so that
// nobody who reads two tenants' verdicts sees what they have in common.
func (s *State) hashed(text []byte) string {
	h := hmac.New(sha256.New, s.rules.policy.ValuesKey)
	var size [8]byte
	binary.BigEndian.PutUint64(size[:], uint64(len(s.conversation.Tenant)))
	h.Write(size[:])
	h.Write([]byte(s.conversation.Tenant))
	h.Write(text)
	return hashPrefix + hex.EncodeToString(h.Sum(nil)[:16])
}

// computed are the figures that derive from others, as a verdict carries them.
func (s *State) computed(values []event.ComputedValue) []event.ComputedValue {
	if s.rules.policy.Values == ValuesFull {
		return values
	}
	var said []event.ComputedValue
	for _, v := range values {
		v.Value, v.From = s.say(v.Value), s.say(v.From)
		said = append(said, v)
	}
	return said
}

// sayFact is what a call declared, as a declaration carries it: under ValuesHashed each part as the hash of its JSON, under
// ValuesNone the kind alone.
func (s *State) sayFact(fact coverage.Fact) coverage.Fact {
	switch s.rules.policy.Values {
	case ValuesNone:
		return coverage.Fact{Kind: fact.Kind}
	case ValuesHashed:
		for _, part := range []*event.JSON{&fact.LookedFor, &fact.Checked, &fact.NotChecked, &fact.CannotCover, &fact.InProgress, &fact.Period} {
			if *part != nil {
				*part = event.JSON(strconv.Quote(s.hashed(*part)))
			}
		}
	}
	return fact
}
