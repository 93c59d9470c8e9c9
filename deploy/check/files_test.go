package check

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"
)

// deploy is the folder that is shipped, and root the repository's, seen from here.
const (
	deploy = ".."
	root   = "../.."
)

// readers say what reads which file of deploy/, by the pattern of its path. The first that matches counts.
var readers = []struct {
	pattern string
	read    func(t *testing.T, file string)
}{
	{"nats-*.conf", readServerConfig},
	{"compose.yaml", readCompose},
	{"Dockerfile", readDockerfile},
	{"Dockerfile.dockerignore", readIgnored},
	{"policy.example.yaml", readPolicy},
	{"kubernetes/*.yaml", readManifest},
	{"systemd/*.service", readUnit},
	{"prometheus/prometheus.yml", readPrometheusConfig},
	{"prometheus/alerts.yml", readAlerts},
	{"grafana/provisioning/*/*.yaml", readProvisioning},
	{"grafana/dashboards/*.json", readDashboard},
}

// TestEveryFile reads each file of deploy/ with the reader of the program that it is for. A file without one fails, and
// so does a reader without a file.
func TestEveryFile(t *testing.T) {
	used := map[string]bool{}
	for _, file := range shipped(t) {
		t.Run(file, func(t *testing.T) {
			for _, r := range readers {
				if matches, err := path.Match(r.pattern, file); err != nil || matches {
					used[r.pattern] = true
					r.read(t, file)
					return
				}
			}
			t.Error("nothing reads this file: add its reader to the table in files_test.go")
		})
	}
	for _, r := range readers {
		if !used[r.pattern] {
			t.Errorf("there is no file %s to be read", r.pattern)
		}
	}
}

// shipped lists the files of deploy/ by their path from there. This module and the keys that an operator makes are not
// shipped.
func shipped(t *testing.T) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(deploy), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "check" || name == "secrets"):
			return fs.SkipDir
		case !d.IsDir():
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("deploy/ holds no files")
	}
	return files
}

// content reads a file of deploy/.
func content(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(deploy, file))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
