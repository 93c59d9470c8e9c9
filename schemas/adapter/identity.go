package adapter

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// Identify gives an event that has no ID one that is made of its content: the same event has the same ID, in whatever run
// it is made, and an answer that was given anew has another. The error is of an event that cannot be written.
func Identify(e event.Event) (event.Event, error) {
	if e.ID != "" {
		return e, nil
	}
	e.ID = "-"
	content, err := schemas.EncodeEvent(schemas.JSON, e)
	if err != nil {
		return e, fmt.Errorf("%s of turn %d: %w", e.Kind(), e.Turn, err)
	}
	sum := sha256.Sum256(content)
	e.ID = hex.EncodeToString(sum[:16])
	return e, nil
}
