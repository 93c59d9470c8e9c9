package jet

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// ReplaysBucket is the key-value bucket that holds how far replays came.
const ReplaysBucket = "PLUMBLINE_REPLAYS"

// ErrReplayTaken says that another process wrote the same replay's checkpoint meanwhile.
var ErrReplayTaken = errors.New("another process works on the same replay: end one of the two, or give one another id")

// Replays keeps how far replays came, by their ids. It is used by one goroutine.
type Replays struct {
	js       jetstream.JetStream
	kv       jetstream.KeyValue // nil while the bucket is not there
	revision map[string]uint64  // of each id as this process wrote or read it last
	// unsure are the values, by their SHA-256, that may be stored: the server did not say. Of each id since its revision.
	unsure map[string]map[[sha256.Size]byte]bool
}

// NewReplays looks at nothing yet: the bucket is made by the first Save.
func NewReplays(js jetstream.JetStream) *Replays {
	return &Replays{js: js, revision: map[string]uint64{}, unsure: map[string]map[[sha256.Size]byte]bool{}}
}

// Load gives what was saved last under the id, nil when nothing was.
func (r *Replays) Load(ctx context.Context, id string) ([]byte, error) {
	kv, err := r.js.KeyValue(ctx, ReplaysBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at bucket %s: %w", ReplaysBucket, err)
	}
	r.kv = kv
	entry, err := kv.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read replay %s from bucket %s: %w", id, ReplaysBucket, err)
	}
	r.revision[id] = entry.Revision()
	return entry.Value(), nil
}

// Save stores the value under the id, in the place of what this process read or saved last. When another process wrote
// there meanwhile the error is ErrReplayTaken. Another error may pass: Save may be called again, also when the value, or an
// earlier one, was stored all the same.
func (r *Replays) Save(ctx context.Context, id string, value []byte) error {
	err := r.save(ctx, id, value)
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		if err = r.adopt(ctx, id); err == nil {
			err = r.save(ctx, id, value)
		}
	}
	switch {
	case errors.Is(err, jetstream.ErrKeyRevisionMismatch), errors.Is(err, ErrReplayTaken):
		return ErrReplayTaken
	case err != nil:
		r.kv = nil // the bucket may be gone: it is looked for again
		return fmt.Errorf("save replay %s in bucket %s: %w", id, ReplaysBucket, err)
	}
	return nil
}

func (r *Replays) save(ctx context.Context, id string, value []byte) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	revision, err := r.kv.Update(ctx, id, value, r.revision[id])
	switch {
	case err == nil:
		r.revision[id] = revision
		delete(r.unsure, id)
	case !errors.Is(err, jetstream.ErrKeyRevisionMismatch):
		if r.unsure[id] == nil {
			r.unsure[id] = map[[sha256.Size]byte]bool{}
		}
		r.unsure[id][sha256.Sum256(value)] = true
	}
	return err
}

// adopt takes what is stored under the id for this process's own when it is one of its values that it was not told of, or
// when nothing is: the bucket was made anew.
func (r *Replays) adopt(ctx context.Context, id string) error {
	entry, err := r.kv.Get(ctx, id)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		r.revision[id] = 0
		return nil
	case err != nil:
		return err
	case !r.unsure[id][sha256.Sum256(entry.Value())]:
		return ErrReplayTaken
	}
	r.revision[id] = entry.Revision()
	return nil
}

// open makes the bucket when it is missing, with the replicas of the event stream.
func (r *Replays) open(ctx context.Context) error {
	if r.kv != nil {
		return nil
	}
	stream, err := r.js.Stream(ctx, EventsStream)
	if err != nil {
		return fmt.Errorf("look at stream %s: %w", EventsStream, err)
	}
	r.kv, err = r.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: ReplaysBucket, Description: "How far Plumbline's replays came", Replicas: stream.CachedInfo().Config.Replicas,
	})
	if err != nil {
		return fmt.Errorf("make bucket %s: %w", ReplaysBucket, err)
	}
	return nil
}
