package check

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
)

// serverOptions are what the server itself makes of a configuration, in an environment as an operator sets it.
func serverOptions(t *testing.T, file string) *server.Options {
	t.Helper()
	dir, env := secrets(t)
	for name, value := range env {
		t.Setenv(name, value)
	}
	for name, value := range map[string]string{
		"NATS_TLS_CERT": filepath.Join(dir, "server.pem"), "NATS_TLS_KEY": filepath.Join(dir, "server.key"), "NATS_TLS_CA": filepath.Join(dir, "ca.pem"),
		"NATS_STORE_DIR": t.TempDir(), "NATS_SERVER_NAME": "nats-1", "NATS_LISTEN": "0.0.0.0:4222", "NATS_CLUSTER_LISTEN": "0.0.0.0:6222",
		"NATS_MONITOR": "127.0.0.1:8222", "NATS_ROUTES": `["tls://nats-1:6222", "tls://nats-2:6222", "tls://nats-3:6222"]`,
	} {
		t.Setenv(name, value)
	}
	o, err := server.ProcessConfigFile(filepath.Join(deploy, file))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// readServerConfig loads a configuration as the server does.
func readServerConfig(t *testing.T, file string) {
	o := serverOptions(t, file)
	if !o.SyncAlways {
		t.Error("sync_interval is not always: a machine that crashes loses what was acknowledged")
	}
	if o.TLSConfig == nil || o.TLSConfig.ClientAuth != tls.RequireAndVerifyClientCert {
		t.Error("clients need not show a certificate")
	}
	if len(o.Nkeys) < 7 {
		t.Errorf("%d users, want those of docs/security.md", len(o.Nkeys))
	}
	for _, user := range o.Nkeys {
		if user.Permissions == nil || user.Permissions.Publish == nil || user.Permissions.Subscribe == nil {
			t.Errorf("the user %s may do anything", user.Nkey)
		}
	}
}

// TestClusterIsTheServerThreeTimes holds that a server of the cluster has the users, the permissions and the bounds of
// the single one, and that the cluster's own connections are secured.
func TestClusterIsTheServerThreeTimes(t *testing.T) {
	o := serverOptions(t, "nats-cluster.conf")
	if o.ServerName != "nats-1" || o.Host != "0.0.0.0" || o.Port != 4222 || o.HTTPHost != "127.0.0.1" || o.HTTPPort != 8222 {
		t.Errorf("%s on %s:%d, monitored on %s:%d", o.ServerName, o.Host, o.Port, o.HTTPHost, o.HTTPPort)
	}
	if len(o.Routes) != 3 || o.Cluster.Name != "plumbline" || o.Cluster.Port != 6222 {
		t.Errorf("cluster %q on %d, routes %v", o.Cluster.Name, o.Cluster.Port, o.Routes)
	}
	if o.Cluster.TLSConfig == nil || o.Cluster.TLSConfig.ClientAuth != tls.RequireAndVerifyClientCert {
		t.Error("the servers do not show one another certificates")
	}
	if o.MaxPayload != 8<<20 || !o.JetStream {
		t.Errorf("max_payload %d, JetStream %t", o.MaxPayload, o.JetStream)
	}
}

var required = regexp.MustCompile(`(?m)^\s*github.com/nats-io/nats-server/v2 (v\S+)`)

// TestServerVersion holds that what is checked here is the server that the programs are built with, and that compose
// starts the same minor version.
func TestServerVersion(t *testing.T) {
	versions := map[string]string{}
	for _, file := range []string{"go.mod", filepath.Join(root, "go.mod")} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		match := required.FindSubmatch(b)
		if match == nil {
			t.Fatalf("%s requires no nats-server", file)
		}
		versions[string(match[1])] = file
	}
	if len(versions) != 1 {
		t.Errorf("two versions of the server: %v; in deploy/check, go get the one of the programs", versions)
	}
	for version := range versions {
		minor := strings.Join(strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)[:2], ".")
		if want := "nats:" + minor + "-alpine"; !strings.Contains(string(content(t, "compose.yaml")), want) {
			t.Errorf("compose.yaml does not start %s", want)
		}
	}
}
