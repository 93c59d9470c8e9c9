package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEveryLogKeyIsDescribed holds the table of docs/logs.md against the keys that the consumer logs with.
func TestEveryLogKeyIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/logs.md")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		said = append(said, row[1])
	}
	made := map[string]bool{}
	for _, folder := range []string{".", "../../pipeline/jet", "../../pipeline/otlp"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				logKeys(t, file, made)
			}
		}
	}
	if keys := slices.Sorted(maps.Keys(made)); !slices.Equal(said, keys) {
		t.Errorf("the page says\n%q\nthe program logs\n%q", said, keys)
	}
}

// logKeys notes the keys that a file logs with. Every key is written as a word where it is used.
func logKeys(t *testing.T, file string, keys map[string]bool) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"Debug", "Info", "Warn", "Error"}, method.Sel.Name) || len(call.Args) == 0 || !isLog(method.X) {
			return true
		}
		for i := 1; i < len(call.Args); i += 2 {
			word, ok := call.Args[i].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s logs a key that is no word", file)
				continue
			}
			key, err := strconv.Unquote(word.Value)
			if err != nil || !regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`).MatchString(key) {
				t.Errorf("%s logs %s: want lower-case words with _ between", file, word.Value)
			}
			keys[key] = true
		}
		return true
	})
}

// isLog tells whether something is a logger, by its name.
func isLog(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return slices.Contains([]string{"log", "logger"}, strings.ToLower(x.Name))
	case *ast.SelectorExpr:
		return slices.Contains([]string{"log", "logger"}, strings.ToLower(x.Sel.Name))
	}
	return false
}
