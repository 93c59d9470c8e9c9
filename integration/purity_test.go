package integration_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCoreIsPure holds that nothing in core but its tests reads a clock, waits, starts a goroutine or has a channel.
func TestCoreIsPure(t *testing.T) {
	read := 0
	walk(t, func(name string) {
		if !within(name, "core") || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return
		}
		read++
		for _, impure := range impurities(t, filepath.Join(root, name), nil) {
			t.Errorf("%s: core is pure", impure)
		}
	})
	if read == 0 {
		t.Error("no file of core was read")
	}
}

func TestImpuritiesAreFound(t *testing.T) {
	tests := []struct {
		body, want string
	}{
		{"_ = time.Second", ""},
		{"_ = time.Now()", "time.Now"},
		{"_ = time.Since(time.Time{})", "time.Since"},
		{"time.Sleep(1)", "time.Sleep"},
		{"go f()", "a goroutine"},
		{"var c chan int; _ = c", "a channel"},
		{"select {}", "a select"},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			got := strings.Join(impurities(t, "a.go", "package a\nimport \"time\"\nfunc f() { "+tt.body+" }"), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

// clocks are the functions of package time that read a clock or wait for one.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// impurities lists what a file does that a pure function does not, with its place. src is nil to read the file.
func impurities(t *testing.T, file string, src any) []string {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		if what := impurity(n); what != "" {
			found = append(found, fmt.Sprintf("%s: %s", set.Position(n.Pos()), what))
		}
		return true
	})
	return found
}

func impurity(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "a goroutine"
	case *ast.ChanType:
		return "a channel"
	case *ast.SelectStmt:
		return "a select"
	case *ast.SelectorExpr:
		if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains(clocks, n.Sel.Name) {
			return "time." + n.Sel.Name
		}
	}
	return ""
}
