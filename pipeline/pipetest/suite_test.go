package pipetest

import (
	"testing"

	"github.com/plumbline-dev/plumbline/pipeline"
)

type memoryStream struct{ *Memory }

func (m memoryStream) Put(_ *testing.T, conversation string, header map[string][]string, data []byte) (string, uint64) {
	subject := "agent.log.0.t.a." + conversation
	return subject, m.Memory.Put(subject, header, data)
}

func (m memoryStream) Open(*testing.T) pipeline.Source { return m.Memory.Open() }

func (m memoryStream) Close(_ *testing.T, s pipeline.Source) { s.(*Source).Close() }

func (m memoryStream) Expire(*testing.T) {}

func TestMemorySource(t *testing.T) {
	TestSource(t, func(*testing.T) Stream { return memoryStream{NewMemory()} })
}

type memoryStore struct{ sink *Sink }

func (m memoryStore) Sink() pipeline.Sink { return m.sink }

func (m memoryStore) Subject(name string) string { return "agent.audit." + name }

func (m memoryStore) Letters(*testing.T) []pipeline.Letter { return m.sink.Letters() }

func TestMemorySink(t *testing.T) {
	TestSink(t, func(*testing.T) Store { return memoryStore{NewSink()} })
}
