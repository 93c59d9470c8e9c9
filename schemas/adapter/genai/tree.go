package genai

import "slices"

// node is a span at its place in its trace.
type node struct {
	span  *Span
	role  role
	kids  []*node
	inner []*node // of a model call: model calls below it, which tell of the same call
	seen  bool
	lost  bool // its parent is not among the spans
}

// group is the spans of one turn.
type group struct {
	root       *node // nil: the spans stand below no agent and no chain
	models     []*node
	tools      []*node
	retrievals []*node
	agents     []*node // below the root
	host       *group  // of an agent that runs inside a tool: the turn of that tool
	lost       []*node // spans that stand here by their time: their parents are not among the spans
	faults     []Fault
	inside     int // spans inside tools, which are not read
}

// place is where a node stands, seen from the turn it may belong to.
type place struct {
	group *group
	tool  *node // the outermost tool around it, within the group
	model *node
}

// trace is the spans of one trace, put into turns.
type trace struct {
	groups []*group
	bare   *group
}

// groupsOf puts the spans of one trace into turns. Spans may come in any order; of spans with one id the last that ended
// counts, since producers send what they are not sure to have sent.
func groupsOf(spans []Span) []*group {
	roots, all := linked(spans)
	t := &trace{}
	for _, n := range roots {
		t.visit(n, place{})
	}
	for _, n := range all { // in circles of parents, which no root leads to
		t.visit(n, place{})
	}
	t.placeLost()
	return t.groups
}

// linked makes nodes of the spans, and gives those without a parent and all of them, in the order of the trace.
func linked(spans []Span) (roots, all []*node) {
	byID := make(map[string]*node, len(spans))
	for i := range spans {
		s := &spans[i]
		if before := byID[s.ID]; before == nil || before.span.End <= s.End {
			byID[s.ID] = &node{span: s, role: roleOf(s)}
		}
	}
	for _, n := range byID {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b *node) int { return a.span.before(b.span) })
	missing := missingChains(all, byID)
	for _, n := range all {
		parent := byID[n.span.Parent]
		if parent == nil {
			parent = missing[n.span.Parent]
			n.lost = n.span.Parent != "" && parent == nil
		}
		if parent == nil || parent == n {
			roots = append(roots, n)
			continue
		}
		parent.kids = append(parent.kids, n)
	}
	for _, n := range missing {
		roots = append(roots, n)
	}
	slices.SortFunc(roots, func(a, b *node) int { return a.span.before(b.span) })
	return roots, all
}

// missingChains stand for parents that are not among the spans and that steps of one chain name: the steps are of one turn.
func missingChains(all []*node, byID map[string]*node) map[string]*node {
	missing := map[string]*node{}
	for _, n := range all {
		if s := n.span; n.role == roleChain && s.Parent != "" && byID[s.Parent] == nil && missing[s.Parent] == nil {
			missing[s.Parent] = &node{role: roleChain, span: &Span{
				Trace: s.Trace, ID: s.Parent, Start: s.Start, End: s.End, Service: s.Service, Line: s.Line,
			}}
		}
	}
	return missing
}

// visit puts a node and what is below it into turns. It keeps its own stack, since a trace may be deep.
func (t *trace) visit(n *node, at place) {
	type visit struct {
		node *node
		at   place
	}
	for stack := []visit{{n, at}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.node.seen {
			continue
		}
		v.node.seen = true
		below := t.put(v.node, v.at)
		for _, kid := range slices.Backward(v.node.kids) {
			stack = append(stack, visit{kid, below})
		}
	}
}

// put puts one node into its turn, and gives the place of what is below it.
func (t *trace) put(n *node, at place) place {
	switch n.role {
	case roleAgent, roleChain:
		return t.putAgent(n, at)
	case roleTool:
		if g := t.groupAt(at); at.tool != nil {
			g.inside++
		} else {
			g.tools = append(g.tools, n)
			at.group, at.tool = g, n
		}
	case roleModel:
		switch g := t.groupAt(at); {
		case at.tool != nil:
			g.inside++
		case at.model != nil:
			at.model.inner = append(at.model.inner, n)
		default:
			g.models = append(g.models, n)
			at.model = n
		}
	case roleRetrieval:
		if g := t.groupAt(at); at.tool == nil {
			g.retrievals = append(g.retrievals, n)
		}
	}
	return at
}

// putAgent begins a turn at an agent or a chain, unless it is of one already.
func (t *trace) putAgent(n *node, at place) place {
	switch {
	case at.tool != nil && n.role == roleAgent:
		return place{group: t.newGroup(&group{root: n, host: t.groupAt(at)})}
	case at.tool != nil:
		return at
	case at.group == nil:
		return place{group: t.newGroup(&group{root: n})}
	}
	at.group.agents = append(at.group.agents, n)
	at.model = nil
	return at
}

// groupAt is the turn of a place: that of the spans below no agent when it has none.
func (t *trace) groupAt(at place) *group {
	if at.group != nil {
		return at.group
	}
	if t.bare == nil {
		t.bare = t.newGroup(&group{})
	}
	return t.bare
}

func (t *trace) newGroup(g *group) *group {
	t.groups = append(t.groups, g)
	return g
}

// placeLost moves spans whose parent is missing from the spans below no agent into the turn that ran at their time, the
// one that began last.
func (t *trace) placeLost() {
	if t.bare == nil || len(t.groups) == 1 {
		return
	}
	move := func(nodes []*node, into func(*group) *[]*node) []*node {
		return slices.DeleteFunc(nodes, func(n *node) bool {
			g := t.runningAt(n.span)
			if !n.lost || g == nil {
				return false
			}
			list := into(g)
			*list = append(*list, n)
			slices.SortFunc(*list, func(a, b *node) int { return a.span.before(b.span) })
			g.lost = append(g.lost, n)
			return true
		})
	}
	t.bare.models = move(t.bare.models, func(g *group) *[]*node { return &g.models })
	t.bare.tools = move(t.bare.tools, func(g *group) *[]*node { return &g.tools })
	if len(t.bare.models)+len(t.bare.tools)+len(t.bare.retrievals) == 0 {
		t.groups = slices.DeleteFunc(t.groups, func(g *group) bool { return g == t.bare })
	}
}

// runningAt is the turn, not inside a tool, whose root ran around the span.
func (t *trace) runningAt(s *Span) *group {
	var found *group
	for _, g := range t.groups {
		if g.root == nil || g.host != nil || g.root.span.Start > s.Start || g.root.span.End < s.End {
			continue
		}
		if found == nil || found.root.span.Start <= g.root.span.Start {
			found = g
		}
	}
	return found
}
