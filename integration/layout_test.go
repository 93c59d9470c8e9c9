// Package integration_test holds what only shows when the parts are put together: whole programs over an embedded
// server, and the rules of who may import whom.
package integration_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the repository's folder, seen from this package's.
const root = ".."

// module is the path that the repository's packages are imported under.
const module = "github.com/plumbline-dev/plumbline"

// source is what the import rules look at of one Go file.
type source struct {
	path    string // from the repository's folder, with slashes
	name    string // of its package
	imports []string
}

// TestImportRules holds every Go file of the repository to the rules.
func TestImportRules(t *testing.T) {
	files := goFiles(t)
	for _, dir := range []string{"core/event", "pipeline", "pipeline/jet", "schemas", "cmd/consumer", "cmd/replayer"} {
		if !slices.ContainsFunc(files, func(f source) bool { return path.Dir(f.path) == dir }) {
			t.Errorf("no Go file was read in %s: the rules hold nothing", dir)
		}
	}
	for _, f := range files {
		for _, broken := range violations(f) {
			t.Error(broken)
		}
	}
}

// TestImportRulesCanFail shows each rule a file that breaks it, and one beside it that does not.
func TestImportRulesCanFail(t *testing.T) {
	const nats, orbit = "github.com/nats-io/nats.go", "github.com/synadia-io/orbit.go/jetstreamext"
	tests := []struct {
		name string
		file source
		want string // part of the message; empty: no rule is broken
	}{
		{"core uses the standard library", source{"core/turn/a.go", "turn", []string{"crypto/sha256", module + "/core/event"}}, ""},
		{"core uses a module", source{"core/turn/a.go", "turn", []string{"github.com/vmihailenco/msgpack/v5"}}, "core/"},
		{"core uses a module whose path has no dot", source{"core/turn/a.go", "turn", []string{module + "/schemas"}}, "core/"},
		{"core uses the pipeline", source{"core/turn/a.go", "turn", []string{module + "/pipeline"}}, "core/"},
		{"a test of core uses a module", source{"core/turn/a_test.go", "turn_test", []string{"github.com/google/go-cmp/cmp"}}, ""},
		{"a test of core uses the wire", source{"core/turn/a_test.go", "turn_test", []string{module + "/schemas"}}, "core/"},
		{"core reads a clock", source{"core/turn/a.go", "turn", []string{"time"}}, ""}, // durations are values
		{"core opens files", source{"core/turn/a.go", "turn", []string{"os"}}, "no I/O"},
		{"core logs", source{"core/turn/a.go", "turn", []string{"log/slog"}}, "no I/O"},
		{"core takes a context", source{"core/turn/a.go", "turn", []string{"context"}}, "no I/O"},
		{"a test of core opens files", source{"core/turn/a_test.go", "turn", []string{"os"}}, ""},
		{"a name that only begins like core", source{"corex/a.go", "corex", []string{"os"}}, ""},

		{"the wire uses core", source{"schemas/a.go", "schemas", []string{module + "/core/event", "github.com/vmihailenco/msgpack/v5"}}, ""},
		{"the wire uses the pipeline", source{"schemas/a.go", "schemas", []string{module + "/pipeline"}}, "schemas"},

		{"jet uses NATS", source{"pipeline/jet/a.go", "jet", []string{nats, orbit}}, ""},
		{"a program uses NATS", source{"cmd/consumer/a.go", "main", []string{nats}}, ""},
		{"a whole test uses NATS", source{"integration/a_test.go", "integration_test", []string{nats}}, ""},
		{"the check of what is shipped uses NATS", source{"deploy/check/a_test.go", "check", []string{nats}}, ""},
		{"an example of a producer uses NATS", source{"docs/producers/go/a.go", "main", []string{nats}}, ""},
		{"another page uses NATS", source{"docs/wire/a.go", "wire", []string{nats}}, "NATS"},
		{"the pipeline uses NATS", source{"pipeline/a.go", "pipeline", []string{nats}}, "NATS"},
		{"a test of the pipeline uses NATS", source{"pipeline/a_test.go", "pipeline_test", []string{nats + "/jetstream"}}, "NATS"},
		{"pipetest uses orbit", source{"pipeline/pipetest/a.go", "pipetest", []string{orbit}}, "NATS"},
		{"the wire uses the server", source{"schemas/a.go", "schemas", []string{"github.com/nats-io/nats-server/v2/server"}}, "NATS"},
		{"the pipeline uses jet", source{"pipeline/a.go", "pipeline", []string{module + "/pipeline/jet"}}, "pipeline/jet"},
		{"a name that only begins like jet", source{"pipeline/jetlag/a.go", "jetlag", []string{nats}}, "NATS"},
		{"the pipeline uses core and the wire", source{"pipeline/a.go", "pipeline", []string{module + "/core/turn", module + "/schemas"}}, ""},

		{"a program uses its own parts", source{"cmd/consumer/a.go", "main", []string{module + "/cmd/internal/report"}}, ""},
		{"the pipeline uses a program", source{"pipeline/a.go", "pipeline", []string{module + "/cmd/consumer"}}, "cmd"},
		{"a whole test uses a program", source{"integration/a_test.go", "integration_test", []string{module + "/cmd/replayer"}}, "cmd"},
		{"a program uses the whole tests", source{"cmd/consumer/a.go", "main", []string{module + "/integration"}}, "integration"},

		{"a package called util", source{"pipeline/util/a.go", "util", nil}, "called util"},
		{"a package called helpers, in its test", source{"core/x/a_test.go", "helpers_test", nil}, "called helpers"},
		{"a folder called types", source{"core/types/a.go", "kinds", nil}, "called types"},
		{"a package with models in its name", source{"core/modelsize/a.go", "modelsize", nil}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(violations(tt.file), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("violations of %v: %q, want one that says %q", tt.file, got, tt.want)
			}
		})
	}
}

// violations says which rules of the layout a file breaks.
func violations(f source) []string {
	var broken []string
	name := strings.TrimSuffix(f.name, "_test")
	for _, called := range []string{name, path.Base(path.Dir(f.path))} {
		if slices.Contains([]string{"util", "utils", "common", "types", "models", "helpers"}, called) {
			broken = append(broken, fmt.Sprintf("%s: a package called %s says nothing of what is in it", f.path, called))
		}
	}
	for _, imported := range f.imports {
		if rule := brokenBy(f, imported); rule != "" {
			broken = append(broken, fmt.Sprintf("%s imports %s: %s", f.path, imported, rule))
		}
	}
	return broken
}

// brokenBy is the rule that an import breaks, empty when it breaks none.
func brokenBy(f source, imported string) string {
	local, isOurs := strings.CutPrefix(imported, module+"/")
	isTest := strings.HasSuffix(f.path, "_test.go")
	from := func(dir string) bool { return within(f.path, dir) }
	switch {
	case isOurs && within(local, "cmd") && !from("cmd"):
		return "nothing outside cmd imports cmd"
	case isOurs && within(local, "integration"):
		return "nothing imports integration"
	case isOurs && within(local, "pipeline/jet") && !from("pipeline/jet") && !from("cmd") && !from("integration"):
		return "only programs and whole tests import pipeline/jet"
	case speaksNATS(imported) && !from("pipeline/jet") && !from("cmd") && !from("integration") && !from("deploy/check") && !from("docs/producers"):
		return "only pipeline/jet, cmd, integration, deploy/check and the examples of producers know NATS"
	case from("core") && isOurs && !within(local, "core"):
		return "core/ imports of this module only core/"
	case from("core") && !isTest && !isOurs && !isStandard(imported):
		return "core/ imports the standard library and core/ only"
	case from("core") && !isTest && reachesOut(imported):
		return "core/ is pure: no I/O, no context, no log, no randomness"
	case from("schemas") && isOurs && !within(local, "core") && !within(local, "schemas"):
		return "schemas imports of this module only core/"
	}
	return ""
}

// within tells whether a path is of the folder or below it.
func within(file, dir string) bool { return file == dir || strings.HasPrefix(file, dir+"/") }

func speaksNATS(imported string) bool {
	return within(imported, "github.com/nats-io") || within(imported, "github.com/synadia-io")
}

// isStandard tells whether a path is of the standard library: the first element of any other has a dot.
func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

// reachesOut tells whether a package of the standard library is about the world outside the values at hand.
func reachesOut(imported string) bool {
	if imported == "net/netip" {
		return false // addresses as values: it opens nothing
	}
	for _, out := range []string{"context", "log", "math/rand", "crypto/rand", "net", "os", "syscall"} {
		if within(imported, out) {
			return true
		}
	}
	return false
}

// goFiles reads the package clause and the imports of every Go file of the repository.
func goFiles(t *testing.T) []source {
	t.Helper()
	var files []source
	walk(t, func(name string) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatalf("read the imports: %v", err)
		}
		f := source{path: name, name: parsed.Name.Name}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatalf("%s: import %s: %v", name, spec.Path.Value, err)
			}
			f.imports = append(f.imports, imported)
		}
		files = append(files, f)
	})
	return files
}

// walk visits the files of the repository by their path from its folder, with slashes. What git keeps for itself and
// what make builds, or npm installs, are not of it.
func walk(t *testing.T, visit func(name string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (name == ".git" || name == "bin" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			visit(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
