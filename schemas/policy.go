package schemas

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const policyFile = "policy.v1.json"

// PolicySchema gives the schema of policy files, compiled once.
var PolicySchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	text, err := schemaFiles.ReadFile(policyFile)
	if err != nil {
		return nil, fmt.Errorf("schema of policies: %w", err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("schema of policies: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(policyFile, document); err != nil {
		return nil, fmt.Errorf("schema of policies: %w", err)
	}
	return compiler.Compile(policyFile)
})
