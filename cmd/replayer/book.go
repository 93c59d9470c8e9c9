package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// saveEvery is how often a checkpoint is saved. While that fails the pauses double, up to maxSavePause.
const (
	saveEvery    = 5 * time.Second
	maxSavePause = time.Minute
)

// checkpoints is where checkpoints are kept, by the ids of the replays. What was saved is there after a crash. Save fails for
// good with jet.ErrReplayTaken, any other error may pass. It is used by one goroutine at a time.
type checkpoints interface {
	Load(ctx context.Context, id string) ([]byte, error)
	Save(ctx context.Context, id string, value []byte) error
}

// checkpoint is how far a replay came, as it is kept.
type checkpoint struct {
	// Is names what the replay is: another one may not go on with it.
	Is      map[string]string `json:"is"`
	Span    span              `json:"span"`
	Reached uint64            `json:"reached"` // everything at or before that sequence is done
	Done    bool              `json:"done"`    // all of it is
	Offset  int64             `json:"offset"`  // bytes of --out that are done
	State   json.RawMessage   `json:"state"`   // of the task
}

// book keeps the checkpoint of a replay. Its methods are called by one goroutine at a time.
//
// A crash between two saves costs doing again what was done since the first: what was stored is found there by its guard,
// and what was written after Offset is cut off.
type book struct {
	checkpoint
	id      string
	Resumed bool

	past    *past
	task    task
	replays checkpoints // nil: nothing is kept
	saved   time.Time   // when that was last tried
	pause   time.Duration
	failed  bool    // the last save did
	kept    *uint64 // what Reached was in the checkpoint that is kept; nil: none is
	said    bool    // how to go on was said
	broken  bool    // a step ended with an error: what was done is not known
}

// openBook looks for the checkpoint of the replay. It refuses one that is of something else.
func openBook(ctx context.Context, p *past) (*book, error) {
	b := &book{past: p, id: p.Past.Resume, saved: time.Now(), pause: saveEvery, replays: jet.NewReplays(p.js)}
	b.Is, b.Span = p.is(), p.span
	if b.id == "" {
		b.id = idOf(b.Is)
	}
	if parquetFile(p.Out) {
		b.replays = nil
		return b, nil
	}
	kept, err := b.replays.Load(ctx, b.id)
	named := p.Past.Resume != ""
	if err != nil {
		return b, b.without(err, named)
	}
	switch {
	case !named:
		return b, nil
	case kept == nil:
		p.console.say(fmt.Sprintf("replay %s begins: --resume %s goes on with it", b.id, b.id))
		b.said = true
		return b, nil
	}
	return b, b.resume(kept)
}

// without goes on without a checkpoint, unless one was named.
func (b *book) without(cause error, named bool) error {
	if named {
		return cause
	}
	b.past.console.say("no checkpoint is kept: " + cause.Error())
	b.replays = nil
	return nil
}

func (b *book) resume(kept []byte) error {
	var had checkpoint
	if err := json.Unmarshal(kept, &had); err != nil {
		return fmt.Errorf("--resume %s: the checkpoint cannot be read: %w", b.id, err)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Is)) {
		if had.Is[name] != b.Is[name] {
			if name == "rules" || name == "against" { // digests, which say nothing to a person
				return &usageError{fmt.Errorf("--resume %s: that replay has other rules (--rules, --policy or --against): say the same again, or choose another id", b.id)}
			}
			return &usageError{fmt.Errorf("--resume %s: that replay has %s %q, this one %q: say the same again, or choose another id",
				b.id, name, had.Is[name], b.Is[name])}
		}
	}
	b.checkpoint, b.Resumed, b.kept = had, true, &had.Reached
	if b.Done {
		b.past.console.say(fmt.Sprintf("replay %s is done, and gave what follows: choose another id to do it again", b.id))
		return nil
	}
	b.past.console.say(fmt.Sprintf("replay %s goes on after sequence %d", b.id, b.Reached))
	return nil
}

// is names what the replay is, flag by flag.
func (p *past) is() map[string]string {
	c := p.Past
	is := map[string]string{
		"job": c.Task, "prefix": c.Subjects.Prefix, "engine": turn.Engine, "rules": p.Rules.Digest(), "stored": c.Stored, "out": p.Out,
		"from": stamp(c.From), "to": stamp(c.To), "from-seq": strconv.FormatUint(c.FromSeq, 10), "to-seq": strconv.FormatUint(c.ToSeq, 10),
	}
	if p.Against != nil {
		is["against"] = p.Against.Digest()
	}
	for name, value := range map[string]*string{"tenant": c.Some.Tenant, "agent": c.Some.Agent, "conversation": c.Some.ID} {
		if value != nil {
			is[name] = "=" + *value
		}
	}
	return is
}

func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// idOf makes an id of what a replay is: the same again has the same.
func idOf(is map[string]string) string {
	text, err := json.Marshal(is) // maps are written in the order of their keys
	if err != nil {
		return "replay" // texts only: it cannot be
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

// restore takes the task's state up again.
func (b *book) restore(state any) error {
	if !b.Resumed || len(b.State) == 0 {
		return nil
	}
	if err := json.Unmarshal(b.State, state); err != nil {
		return fmt.Errorf("--resume %s: the checkpoint cannot be read: %w", b.id, err)
	}
	return nil
}

// next is the first sequence to read.
func (b *book) next() uint64 {
	if b.Resumed {
		return b.Reached + 1
	}
	return 0
}

// reached notes that everything at or before the sequence is done, and saves that now and then. That it cannot be saved
// is said once and tried again later, and ends nothing.
func (b *book) reached(ctx context.Context, seq uint64) error {
	b.Reached = seq
	if time.Since(b.saved) < b.pause {
		return nil
	}
	return b.save(ctx)
}

func (b *book) save(ctx context.Context) error {
	b.saved = time.Now()
	var err error
	if b.Offset, err = b.task.output().flush(); err != nil {
		return err
	}
	if b.replays == nil {
		return nil
	}
	if b.State, err = json.Marshal(b.task.state()); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	value, err := json.Marshal(b.checkpoint)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	err = b.replays.Save(ctx, b.id, value)
	if errors.Is(err, jet.ErrReplayTaken) {
		return err
	}
	b.note(err, ctx.Err() != nil)
	return nil
}

// note takes in how a save went, and says what a person has not been told yet. ended tells that the replay was ending.
func (b *book) note(err error, ended bool) {
	switch {
	case err != nil && !b.failed && !ended:
		b.past.console.say("the checkpoint could not be saved: " + err.Error())
	case err == nil && b.failed:
		b.past.console.say("checkpoints are saved again")
	case err == nil && !b.said && !b.Done:
		b.past.console.say(fmt.Sprintf("if it ends early, the same flags and --resume %s go on with it", b.id))
		b.said = true
	}
	if b.failed = err != nil; b.failed {
		b.pause = min(2*b.pause, maxSavePause)
		return
	}
	b.pause, b.kept = saveEvery, new(b.Reached)
}

// finish saves that all is done, where a checkpoint was saved or asked for before.
func (b *book) finish(ctx context.Context) error {
	b.Done = true
	if !b.said && !b.Resumed {
		_, err := b.task.output().flush()
		return err
	}
	return b.save(ctx)
}

// interrupted saves how far it came and gives the error that says how to go on.
func (b *book) interrupted(ctx context.Context, cause error) error {
	gone := errors.Is(context.Cause(ctx), errGone)
	switch {
	case gone:
		cause = errGone
	case ctx.Err() != nil:
		cause = errors.New("interrupted")
	}
	if b.replays != nil && gone && !b.broken {
		return fmt.Errorf("%w; when one is there again, the same flags and --resume %s go on with it", cause, b.id)
	}
	if b.replays == nil || b.broken || errors.Is(cause, jet.ErrReplayTaken) {
		return cause
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	b.said = true
	switch err := b.save(ctx); {
	case err != nil || b.replays == nil || b.failed && b.kept == nil:
		return errors.Join(cause, err)
	case b.failed:
		return fmt.Errorf("%w after sequence %d, and the last checkpoint that was saved is of sequence %d: the same flags and --resume %s go on from there",
			cause, b.Reached, *b.kept, b.id)
	}
	return fmt.Errorf("%w after sequence %d; everything up to there is done: the same flags and --resume %s go on with it", cause, b.Reached, b.id)
}
