package main

import (
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// console is stderr, where a replay says how it gets on: on a terminal a bar with the rate and the time left, in a log a
// line now and then. It is safe for concurrent use.
type console struct {
	w    io.Writer
	mu   sync.Mutex
	bar  *progressbar.ProgressBar // guarded by mu; nil while there is none
	said int                      // guarded by mu: messages named that could not be read
}

func newConsole(w io.Writer) *console { return &console{w: w} }

// say writes a line of the program's own, above the bar.
func (c *console) say(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bar != nil {
		c.bar.Clear() //nolint:errcheck // it is only looks
	}
	fmt.Fprintf(c.w, "%s: %s\n", program.Name, report.Plain(line))
}

// Write takes lines of the log.
func (c *console) Write(line []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.w.Write(line)
}

func (c *console) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(c, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// maxUnread is how many messages that cannot be read are named; the summary counts them all.
const maxUnread = 20

func (c *console) unread(l pipeline.Letter) {
	c.mu.Lock()
	c.said++
	said := c.said
	c.mu.Unlock()
	switch {
	case said <= maxUnread:
		c.say(fmt.Sprintf("sequence %d cannot be read: %s: %s", l.Seq, l.Reason, opening(l.Detail)))
	case said == maxUnread+1:
		c.say("more messages cannot be read: the summary counts them")
	}
}

// The pauses between two looks at how far it is.
const (
	barEvery  = 200 * time.Millisecond
	lineEvery = 10 * time.Second
)

// progress shows how far the reading is, until stop is called.
func (c *console) progress(from, through uint64, at, read *atomic.Uint64) (stop func()) {
	at.Store(from - 1)
	show, every := c.line(from, through, at, read), lineEvery
	if report.Terminal(c.w) {
		show, every = c.drawn(from, through, at), barEvery
	}
	ended, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				show()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		close(ended)
		<-gone
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.bar != nil {
			c.bar.Clear() //nolint:errcheck // it is only looks
			c.bar = nil
		}
	}
}

// drawn shows a bar.
func (c *console) drawn(from, through uint64, at *atomic.Uint64) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bar = progressbar.NewOptions64(int64(through-from+1), progressbar.OptionSetWriter(c.w), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionSetItsString("events"), progressbar.OptionSetPredictTime(true),
		progressbar.OptionUseANSICodes(true), progressbar.OptionSetWidth(30))
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bar.Set64(int64(at.Load() - from + 1)) //nolint:errcheck // it is only looks
	}
}

// line says how far it is.
func (c *console) line(from, through uint64, at, read *atomic.Uint64) func() {
	start := time.Now()
	return func() {
		took := time.Since(start)
		done, all := float64(at.Load()-from+1), float64(through-from+1)
		said := fmt.Sprintf("%d messages read, %.0f a second, %.0f %% of the range", read.Load(), float64(read.Load())/took.Seconds(), 100*done/all)
		if done > 0 {
			said += fmt.Sprintf(", about %s left", time.Duration(float64(took)*(all-done)/done).Round(time.Second))
		}
		c.say(said)
	}
}
