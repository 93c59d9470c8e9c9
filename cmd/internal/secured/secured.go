// Package secured starts, for the tests of the programs, a server from the configuration that is shipped: it demands TLS
// on both sides and knows each role by its key. It answers "does what we ship let the programs work, and nothing else?".
//
// It holds no rule of its own: roles and permissions are those of deploy/nats-server.conf.
package secured

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/cmd/internal/keyring"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// Config is the shipped configuration, seen from the folder of a program.
const Config = "../../deploy/nats-server.conf"

// The roles of the configuration, as their environment variables end.
const (
	Provisioner = "PROVISIONER"
	Consumer    = "CONSUMER"
	Replayer    = "REPLAYER"
	Redriver    = "REDRIVER"
	Publisher   = "PUBLISHER"
	Reader      = "READER"
	Producer    = "PRODUCER_ACME" // of tenant acme
)

// Roles lists them.
var Roles = []string{Provisioner, Consumer, Replayer, Redriver, Publisher, Reader, Producer}

// people are those that no program runs as, and that may do what no role may.
var people = []string{"ADMIN", "SYSADMIN"}

// Inboxes are the subjects that each role is answered on.
var Inboxes = map[string]string{
	Provisioner: "_INBOX.plumbline-provisioner", Consumer: "_INBOX.plumbline-consumer", Replayer: "_INBOX.plumbline-replayer",
	Redriver: "_INBOX.plumbline-redriver", Publisher: "_INBOX.plumbline-publisher", Reader: "_INBOX.reader", Producer: "_INBOX.acme",
}

// Server is a server that runs from the shipped configuration.
type Server struct {
	Allowed map[string][]string // the subjects that each role may publish on, as configured

	server *server.Server
	ring   keyring.Ring
	root   string // the file of the seed of a user that may do anything
}

// Start starts the server, on any free port of 127.0.0.1 and in a folder of the test.
func Start(t *testing.T) *Server {
	t.Helper()
	s := &Server{ring: ring(t, slices.Concat(Roles, people)), Allowed: map[string][]string{}}
	t.Setenv("NATS_STORE_DIR", t.TempDir())
	t.Setenv("NATS_TLS_CERT", s.ring.ServerCert)
	t.Setenv("NATS_TLS_KEY", s.ring.ServerKey)
	t.Setenv("NATS_TLS_CA", s.ring.CA)
	keys := s.ring.Public
	for role, key := range keys {
		t.Setenv("NKEY_"+role, key)
	}
	o, err := server.ProcessConfigFile(Config)
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range o.Nkeys {
		for role, key := range keys {
			if user.Nkey == key {
				s.Allowed[role] = user.Permissions.Publish.Allow
			}
		}
	}
	s.run(t, o)
	return s
}

// run adds to what is shipped only what a test needs: a free port, and a user that sees everything.
func (s *Server) run(t *testing.T, o *server.Options) {
	t.Helper()
	const root = "ROOT"
	extra := ring(t, []string{root})
	s.root = extra.Seeds[root]
	account := o.Nkeys[slices.IndexFunc(o.Nkeys, func(u *server.NkeyUser) bool { return u.Nkey == s.ring.Public[Consumer] })].Account
	o.Nkeys = append(o.Nkeys, &server.NkeyUser{Nkey: extra.Public[root], Account: account})
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, true, true
	srv, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.server = srv
	srv.Start()
	t.Cleanup(func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	})
	if !srv.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server does not start")
	}
}

// URL is where the server listens.
func (s *Server) URL() string { return strings.Replace(s.server.ClientURL(), "nats://", "tls://", 1) }

// Flags are those with which a program shows itself as the role.
func (s *Server) Flags(role string) []string {
	return []string{
		"--nats-url=" + s.URL(), "--nkey=" + s.ring.Seeds[role], "--tls-ca=" + s.ring.CA,
		"--tls-cert=" + s.ring.ClientCert, "--tls-key=" + s.ring.ClientKey,
	}
}

// Connect connects as the role.
func (s *Server) Connect(t *testing.T, role string) *nats.Conn {
	t.Helper()
	return s.connect(t, s.ring.Seeds[role], Inboxes[role])
}

// Root connects as a user that may do anything, and that no configuration ships.
func (s *Server) Root(t *testing.T) *nats.Conn {
	t.Helper()
	return s.connect(t, s.root, "_INBOX.root")
}

func (s *Server) connect(t *testing.T, seed, inbox string) *nats.Conn {
	t.Helper()
	nc, err := jet.Connect(jet.Config{
		URLs: []string{s.URL()}, NKey: seed, CA: s.ring.CA, Cert: s.ring.ClientCert, Key: s.ring.ClientKey, Inbox: inbox,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if !nc.IsConnected() {
		t.Fatalf("not connected: %v", nc.LastError())
	}
	return nc
}

// TLS is the server's side of a TLS connection, for a server of the test's own. mutual demands a client certificate.
func (f Files) TLS(t *testing.T, mutual bool) *tls.Config {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(f.ServerCert, f.ServerKey)
	if err != nil {
		t.Fatal(err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if mutual {
		ca, err := os.ReadFile(f.CA)
		if err != nil {
			t.Fatal(err)
		}
		c.ClientCAs, c.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		c.ClientCAs.AppendCertsFromPEM(ca)
	}
	return c
}
