// Command quality measures how far a flag can be believed: it judges real conversations under every ruleset, plants
// inventions in them, and prints the table of docs/quality.md. make quality runs it.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/demo"
	"github.com/plumbline-dev/plumbline/pipeline/quality"
	"github.com/plumbline-dev/plumbline/schemas"
)

func main() { cli.Main(run) }

var program = cli.Program{
	Name: "quality",
	Description: "Judges the answers of real conversations under every ruleset, and again with one digit changed in one " +
		"value of each, and prints how many are flagged and how many of the changed ones are caught. What is flagged in the " +
		"unchanged ones is for a person to read. Exit codes: 0 done, 2 wrong use, 3 could not finish.",
}

// flags is the command line, as kong reads it.
type flags struct {
	File []string `placeholder:"FILE" help:"Events, one JSON object a line. None: the bundled conversations."`
	Seed uint64   `default:"1" help:"Where the changed digits fall."`

	Version kong.VersionFlag `help:"Print the version." env:"-"`
}

// run is the program.
func run(_ context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var f flags
	if code, ok := program.Parse(&f, args, stdout, stderr); !ok {
		return code
	}
	corpora, err := corporaOf(f.File)
	if err != nil {
		return program.Fail(stderr, cli.Usage, err)
	}
	if err := measure(corpora, f.Seed, stdout); err != nil {
		return program.Fail(stderr, cli.Unfinished, err)
	}
	return cli.Done
}

func measure(corpora []quality.Corpus, seed uint64, stdout io.Writer) error {
	var rows []quality.Row
	var marginals []quality.Marginal
	for _, corpus := range corpora {
		r, m, err := quality.Measure(corpus, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", corpus.Name, err)
		}
		rows, marginals = append(rows, r...), append(marginals, m...)
	}
	return quality.WriteTables(stdout, rows, marginals)
}

// corporaOf reads the files, or the bundled conversations when there are none.
func corporaOf(files []string) ([]quality.Corpus, error) {
	if len(files) == 0 {
		corpus, err := corpusOf("airline, bundled", demo.Events())
		return []quality.Corpus{corpus}, err
	}
	var corpora []quality.Corpus
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--file: %w", err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		corpus, err := corpusOf(name, bytes.Lines(content))
		if err != nil {
			return nil, fmt.Errorf("--file %s: %w", file, err)
		}
		corpora = append(corpora, corpus)
	}
	return corpora, nil
}

func corpusOf(name string, lines iter.Seq[[]byte]) (quality.Corpus, error) {
	corpus := quality.Corpus{Name: name}
	n := 0
	for line := range lines {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, err := schemas.Decode(schemas.JSON, line)
		if err != nil {
			return corpus, fmt.Errorf("line %d: %w", n, err)
		}
		corpus.Events = append(corpus.Events, e)
	}
	return corpus, nil
}
