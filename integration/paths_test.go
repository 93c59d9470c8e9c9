package integration_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// machinePath matches a path that only some machine has: of a home folder, or of a workplace.
var machinePath = regexp.MustCompile(`(?:^|[^\w.~/-])((?:/(?:root|home|Users|work|tmp/plumb)|[A-Z]:\\Users)[/\\][\w.-]+)`)

// TestNoMachinePaths holds that no file names a folder of the machine that it was written on.
func TestNoMachinePaths(t *testing.T) {
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	walk(t, func(name string) {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		read++
		if found := pathIn(content, here); found != "" {
			t.Errorf("%s names %q, a path of one machine", name, found)
		}
	})
	if read < 20 {
		t.Errorf("only %d files were read: is %s the repository?", read, here)
	}
}

func TestMachinePathsAreFound(t *testing.T) {
	const slash = "/" // keeps this file itself free of them
	tests := []struct {
		text, want string
	}{
		{"see " + slash + "home/ann/notes.md.", slash + "home/ann"},
		{`"` + slash + `root/go"`, slash + "root/go"},
		{"(" + slash + "Users/ann/x)", slash + "Users/ann"},
		{"cd " + slash + "work/main && make", slash + "work/main"},
		{"C:" + `\Users\ann`, "C:" + `\Users\ann`},
		{"under /srv/here/file", "/srv/here"},
		{"the network/root/x of a URL https://example.com/home/page", ""},
		{"../other/work/x and ~/work/x", ""},
		{"a/root/b", ""},
	}
	for _, tt := range tests {
		if got := pathIn([]byte(tt.text), "/srv/here"); got != tt.want {
			t.Errorf("pathIn(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// pathIn gives the first path of one machine that the content names: here is where the repository lies now,
// which says something only when it is deeper than a folder such as /src, which a container may well have.
func pathIn(content []byte, here string) string {
	if strings.Count(here, "/") > 1 && bytes.Contains(content, []byte(here)) {
		return here
	}
	if found := machinePath.FindSubmatch(content); found != nil {
		return string(found[1])
	}
	return ""
}
