package claudecode

import (
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// threads tells which conversation a row belongs to, and which rows are repeats. It keeps the id of every row.
type threads struct {
	file     string            // the name of the file
	of       map[string]thread // by the uuid of a row
	sessions map[string]string // the conversation of a session
}

// thread is a conversation; chain names the sub-agent whose it is, empty for the session's own.
type thread struct{ name, chain string }

func newThreads(file string) *threads {
	return &threads{file: file, of: map[string]thread{}, sessions: map[string]string{}}
}

// knows tells whether a row of the id was read.
func (t *threads) knows(uuid string) bool {
	_, known := t.of[uuid]
	return known
}

// threadOf names the conversation of a row: a side chain has its own, another row that of the row before it, or of its session.
func (t *threads) threadOf(row servedjson.Value) thread {
	session := adapter.Text(row, "sessionId", "session_id")
	before, known := t.of[adapter.Text(row, "parentUuid", "logicalParentUuid")]
	at := thread{name: t.sessionName(session)}
	uuid := adapter.Text(row, "uuid")
	if agent := agentOf(row, before.chain, uuid); agent != "" {
		at = thread{name: t.named(at.name) + "/" + agent, chain: agent}
	} else if known && before.chain == "" {
		at = before
	}
	if uuid != "" {
		t.of[uuid] = at
	}
	return at
}

// sessionName is the conversation of a session, empty for that of the file. The first session of a file that is named as
// Claude Code names them is the file's: it may begin with rows of an older one.
func (t *threads) sessionName(session string) string {
	name, known := t.sessions[session]
	if known || session == "" {
		return name
	}
	if len(t.sessions) > 0 || !isSessionName(t.file) {
		name = session
	}
	t.sessions[session] = name
	return name
}

// isSessionName tells whether a file has a UUID for its name.
func isSessionName(file string) bool {
	return len(file) == 36 && file[8] == '-' && file[13] == '-' && file[18] == '-' && file[23] == '-'
}

// named is a conversation's name, also of the file's own.
func (t *threads) named(name string) string {
	if name == "" {
		return t.file
	}
	return name
}

// agentOf names the sub-agent of a row, empty when it is none's: by its own id, by the call that started it, by the row
// before it, or by its first row.
func agentOf(row servedjson.Value, before, uuid string) string {
	started := adapter.Text(row, "parent_tool_use_id")
	if side, _ := row.Get("isSidechain"); side.Kind() != servedjson.True && started == "" {
		return ""
	}
	if agent := adapter.Text(row, "agentId"); agent != "" {
		return agent
	}
	switch {
	case started != "":
		return started
	case before != "":
		return before
	}
	return "sidechain-" + uuid
}
