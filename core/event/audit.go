package event

// Outcome is what the evidence reader says of an answer.
type Outcome string

// The outcomes. Only Unsupported accuses.
const (
	Grounded        Outcome = "grounded"
	Unsupported     Outcome = "unsupported"
	NothingAsserted Outcome = "nothing_asserted"
	CannotTell      Outcome = "cannot_tell"
)

// Reason says why an answer cannot be told, or what limited the reading.
type Reason string

// The closed vocabulary of reasons, in the order verdicts list them.
const (
	RowsMissing        Reason = "rows_missing"
	ResultCapped       Reason = "result_capped"
	ResultRedacted     Reason = "result_redacted"
	ContentNotCaptured Reason = "content_not_captured"
	PromptNotCaptured  Reason = "prompt_not_captured"
	HistoryIncomplete  Reason = "history_incomplete"
	IndexTruncated     Reason = "index_truncated"
	TurnOversize       Reason = "turn_oversize"
)

// Reasons lists every reason in the order verdicts list them.
var Reasons = []Reason{
	RowsMissing, ResultCapped, ResultRedacted, ContentNotCaptured,
	PromptNotCaptured, HistoryIncomplete, IndexTruncated, TurnOversize,
}

// Action is the upstream name of the outcome: "flagged" accuses, "grounded" does not.
type Action string

// The actions.
const (
	ActionGrounded Action = "grounded"
	ActionFlagged  Action = "flagged"
)

// Common opens every payload that Plumbline publishes.
type Common struct {
	V            int    `json:"v"`
	Type         Kind   `json:"type"`
	Tenant       string `json:"tenant"`
	Agent        string `json:"agent"`
	Conversation string `json:"conversation"`
	Turn         int    `json:"turn"`
	Iteration    int    `json:"iteration"`
}

// Basis closes every payload that Plumbline publishes: the rules it was made by.
type Basis struct {
	Ruleset string `json:"ruleset"`
	Policy  string `json:"policy"` // hex SHA-256 of the effective policy
	Engine  string `json:"engine"` // the build's version
}

// EvidenceChecked is the verdict on one answer. Everything in it depends only on the events on the conversation's
// subject up to Through, the policy and the engine.
type EvidenceChecked struct {
	Common
	Outcome            Outcome            `json:"outcome"`
	Reasons            []Reason           `json:"reasons"`
	Action             Action             `json:"action"`
	Posture            string             `json:"posture"`
	Candidates         int                `json:"candidates"`
	LookedUp           int                `json:"lookedUp"`
	Unsupported        []UnsupportedValue `json:"unsupported"`
	UnsupportedOmitted int                `json:"unsupportedOmitted,omitempty"`
	Computed           []ComputedValue    `json:"computed,omitempty"`
	EvidenceTruncated  bool               `json:"evidenceTruncated,omitempty"`
	AfterRevision      bool               `json:"afterRevision"`
	Grounding          Grounding          `json:"grounding"`
	CarriedBy          []Carried          `json:"carriedBy,omitempty"`
	Equivalences       []string           `json:"equivalences,omitempty"`
	Results            []CallResult       `json:"results"`
	Scripts            *Scripts           `json:"scripts,omitempty"`
	Through            uint64             `json:"through"`
	AnswerSeq          uint64             `json:"answerSeq"`
	Basis
}

// Span is a half-open range [start, end) of byte offsets into the answer's UTF-8 text.
type Span [2]int

// UnsupportedValue is a value that stands nowhere in the record.
type UnsupportedValue struct {
	Value  string `json:"value"` // at most 64 UTF-16 units, clipped with …
	Shape  string `json:"shape"`
	Region string `json:"region,omitempty"` // prose or code, when scripts were matched
	Spans  []Span `json:"spans"`            // every occurrence
	Near   *Near  `json:"near,omitempty"`
}

// Near is the closest value that a result of the conversation does hold. It helps a person; it is never a verdict.
type Near struct {
	Value string `json:"value"`
	Call  string `json:"call"`
	Turn  int    `json:"turn"`
}

// ComputedValue is a figure that no result holds but that derives from what results hold.
type ComputedValue struct {
	Value      string `json:"value"`
	Shape      string `json:"shape"`
	Derivation string `json:"derivation"`
	From       string `json:"from"`
}

// Grounding counts where the grounded values were read.
type Grounding struct {
	FromThisTurn        int `json:"fromThisTurn"`
	FromPriorTurns      int `json:"fromPriorTurns"`
	LatestPriorTurn     int `json:"latestPriorTurn,omitempty"`
	CurrentTurn         int `json:"currentTurn"`
	ToolResultsThisTurn int `json:"toolResultsThisTurn"`
}

// Carried names the calls of this turn that carried a grounded value: at most 8, More when there were others.
type Carried struct {
	Value string   `json:"value"`
	Calls []string `json:"calls"`
	More  bool     `json:"more,omitempty"`
}

// CallResult is the reading of one call of the answer's turn.
type CallResult struct {
	Call       string     `json:"call"`
	Tool       string     `json:"tool"`
	Emptiness  string     `json:"emptiness"`
	Rows       *int       `json:"rows,omitempty"`
	Source     string     `json:"source,omitempty"`
	RowsAt     string     `json:"rowsAt,omitempty"`
	Bounded    bool       `json:"bounded,omitempty"`
	Described  *Described `json:"described,omitempty"`
	RowsUnread string     `json:"rowsUnread,omitempty"`
	// Incomplete is the key by which the result itself says that it is not whole, such as has_more.
	Incomplete string `json:"incomplete,omitempty"`
	Error      bool   `json:"error,omitempty"`
}

// Described counts what a described result held, per kind.
type Described struct {
	Facts  int `json:"facts,omitempty"`
	Series int `json:"series,omitempty"`
	Edges  int `json:"edges,omitempty"`
}

// Scripts is the script reader's part of a verdict.
type Scripts struct {
	Blocks          []ScriptBlock `json:"blocks"`
	EarlierTurnRows int           `json:"earlierTurnRows"`
	Dropped         int           `json:"dropped"`
}

// ScriptBlock is the verdict on one fenced code block.
type ScriptBlock struct {
	Index       int    `json:"index"`  // from 1
	Status      string `json:"status"` // matched or unmatched
	Call        string `json:"call,omitempty"`
	Dispatch    int    `json:"dispatch,omitempty"` // from 1
	Label       string `json:"label,omitempty"`
	ExitCode    *int   `json:"exitCode,omitempty"`
	AlsoMatches int    `json:"alsoMatches,omitempty"`
	Reason      string `json:"reason,omitempty"`
	Hint        string `json:"hint,omitempty"`
}

// CoverageDeclared says what one call declared that it searched, did not search, or can never cover. Its Iteration is
// the call's.
type CoverageDeclared struct {
	Common
	Call     string `json:"call"`
	Tool     string `json:"tool"`
	Declared string `json:"kind"` // absence or ledger
	// Withdrawn is true when an earlier report of the call declared it and the last one does not: the record takes the
	// declaration's place and declares nothing.
	Withdrawn   bool   `json:"withdrawn,omitempty"`
	LookedFor   JSON   `json:"lookedFor,omitempty"`
	Checked     JSON   `json:"checked,omitempty"`
	NotChecked  JSON   `json:"notChecked,omitempty"`
	CannotCover JSON   `json:"cannotCover,omitempty"`
	InProgress  JSON   `json:"inProgress,omitempty"`
	Period      JSON   `json:"period,omitempty"`
	Emptiness   string `json:"emptiness"`
	Basis
}
