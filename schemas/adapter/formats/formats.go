// Package formats lists the forms of records that Plumbline reads. It answers "which readers are there?", and holds
// nothing else: the frame is package adapter, and each reader has a package beside this one.
package formats

import (
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/agentfootprint"
	"github.com/plumbline-dev/plumbline/schemas/adapter/aisdk"
	"github.com/plumbline-dev/plumbline/schemas/adapter/anthropic"
	"github.com/plumbline-dev/plumbline/schemas/adapter/atif"
	"github.com/plumbline-dev/plumbline/schemas/adapter/claudecode"
	"github.com/plumbline-dev/plumbline/schemas/adapter/inspect"
	"github.com/plumbline-dev/plumbline/schemas/adapter/langsmith"
	"github.com/plumbline-dev/plumbline/schemas/adapter/openai"
	"github.com/plumbline-dev/plumbline/schemas/adapter/otlp"
)

// All lists the forms, in the order in which they are named to people.
var All = []adapter.Format{
	adapter.Native,
	claudecode.Format,
	openai.Format,
	anthropic.Format,
	agentfootprint.Format,
	aisdk.Format,
	langsmith.Format,
	inspect.Format,
	atif.Format,
	otlp.Format,
}
