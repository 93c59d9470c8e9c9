package genai

import (
	"slices"

	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// runsOf reads the tool spans of the group in their order.
func (g *group) runsOf() []*toolRun {
	var runs []*toolRun
	for _, n := range g.tools {
		run, err := toolRunOf(n.span)
		if err != nil {
			g.fault(n.span, err)
			continue
		}
		runs = append(runs, &run)
	}
	for _, n := range g.agents {
		if n.role == roleAgent && n.span.Remote && len(n.kids) == 0 {
			runs = append(runs, remoteRun(n.span))
		}
	}
	slices.SortStableFunc(runs, func(a, b *toolRun) int { return a.span.before(b.span) })
	return runs
}

// remoteRun reads an agent that the turn called and that ran elsewhere as a tool: what it said is what the caller read.
func remoteRun(s *Span) *toolRun {
	run := &toolRun{span: s, tool: "invoke_agent " + s.word("gen_ai.agent.name")}
	if r, err := agentRecordOf(s); err == nil && r.outputSeen && len(r.output) > 0 {
		run.result = adapter.Quoted(r.output[len(r.output)-1].texts())
	}
	if s.Failed {
		run.err = errorOf(s)
	}
	return run
}

// documentsOf reads the documents that were looked up for the model.
func documentsOf(s *Span) []string {
	list, _ := s.value("gen_ai.retrieval.documents")
	for _, prefix := range []string{"retrieval.documents", "reranker.output_documents"} {
		if found, ok := s.unflattened(prefix); ok && list.IsZero() {
			list = found
		}
	}
	list, _, err := structured("", list)
	if err != nil {
		return nil
	}
	var texts []string
	for item := range list.Elements() {
		item = member(item, "document")
		text := adapter.Text(item, "content", "text", "page_content")
		if text == "" {
			text = string(item.Raw())
		}
		texts = append(texts, text)
	}
	return texts
}
