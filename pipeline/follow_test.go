package pipeline_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// diary writes down what is told of each message.
type diary struct{ said []string }

func (d *diary) Take(m pipeline.Message) pipeline.Followed { return page{d, m.Seq} }

type page struct {
	d   *diary
	seq uint64
}

func (p page) note(format string, args ...any) {
	p.d.said = append(p.d.said, fmt.Sprintf("%d ", p.seq)+fmt.Sprintf(format, args...))
}

func (p page) Step(name string) func(error) {
	return func(err error) { p.note("%s %v", name, err != nil) }
}

func (p page) Verdict(v event.EvidenceChecked, revision int) { p.note("%s %d", v.Outcome, revision) }

func (p page) End(handedBack bool) { p.note("end %v", handedBack) }

// Those who follow are told of every step of a message, of the verdicts that it causes and, once, of its end.
func TestFollower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var d diary
		_, stop := w.run(func(c *pipeline.Config) { c.Follower = &d })
		w.publish(rowOf(conv(1), 1, "a", `{"order":44170}`))
		synctest.Wait()
		w.stream.Sink().LoseReplies(1)
		w.publish(answerOf(conv(1), 1, "order 44170", "a"))
		synctest.Wait()
		subject, header, data := encode(t, rowOf(conv(1), 1, "b", `1`))
		w.store(subject, header, data[:len(data)-3])
		synctest.Wait()
		w.publish(rowOf(conv(1), 1, "a", `{"order":44171}`)) // late: the answer is judged again
		synctest.Wait()
		stop(true)
		w.check()
		want := []string{
			"1 fold false", "1 end false",
			"2 fold false", "2 judge false", "2 store true", // its reply is lost
			"3 bury false", "3 end false",
			"4 fold false", "4 judge false", "4 store false", "4 unsupported 1", "4 end false",
		}
		for _, told := range want {
			if !slices.Contains(d.said, told) {
				t.Errorf("%q was not told", told)
			}
		}
		for seq := 1; seq <= 4; seq++ {
			ends := 0
			for _, told := range d.said {
				if told == fmt.Sprintf("%d end false", seq) {
					ends++
				}
			}
			if ends != 1 {
				t.Errorf("message %d ended %d times", seq, ends)
			}
		}
		if t.Failed() {
			t.Logf("told: %q", d.said)
		}
	})
}
