package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// names is what the events of another runtime's record are named by where the record names nothing itself.
func (r *reader) names(format string) event.Conversation {
	base := filepath.Base(r.name)
	return event.Conversation{
		Tenant: cmp.Or(r.tenant, "local"), Agent: cmp.Or(r.agent, format), ID: strings.TrimSuffix(base, filepath.Ext(base)),
	}
}

// openIn opens the file, or stdin, which ends when ctx does.
func openIn(ctx context.Context, file string, stdin io.Reader) (in io.Reader, name string, closeIn func(), err error) {
	if file == "-" {
		return newInterruptible(ctx, stdin), "stdin", func() {}, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, "", nil, &usageError{fmt.Errorf("--file: %w", err)}
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		err = errors.Join(fmt.Errorf("--file: %s is a folder: name one file in it", file), f.Close())
		return nil, "", nil, &usageError{err}
	}
	return f, file, func() { f.Close() }, nil //nolint:errcheck // it was only read
}

// interruptible reads from where a read may wait for a person, and gives up when ctx ends. The goroutine that waits
// is left behind then: nothing ends a read of a terminal, but the end of the process.
type interruptible struct {
	ctx   context.Context
	ask   chan []byte
	reply chan chunk
}

// chunk is what a read gave.
type chunk struct {
	n   int
	err error
}

func newInterruptible(ctx context.Context, in io.Reader) *interruptible {
	i := &interruptible{ctx: ctx, ask: make(chan []byte), reply: make(chan chunk, 1)}
	go i.serve(in)
	return i
}

// serve reads when asked to. It ends with ctx, unless a read waits.
func (i *interruptible) serve(in io.Reader) {
	for {
		select {
		case room := <-i.ask:
			n, err := in.Read(room)
			i.reply <- chunk{n, err}
		case <-i.ctx.Done():
			return
		}
	}
}

// Read gives what the reader behind gives, or the end of ctx.
func (i *interruptible) Read(p []byte) (int, error) {
	room := make([]byte, len(p)) // a read that is given up may still write to it
	select {
	case i.ask <- room:
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
	select {
	case a := <-i.reply:
		return copy(p, room[:a.n]), a.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
