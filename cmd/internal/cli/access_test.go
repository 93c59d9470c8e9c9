package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/plumbline-dev/plumbline/cmd/internal/secured"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// demanding starts a server that demands what the change says.
func demanding(t *testing.T, change func(*server.Options)) (url string) {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true}
	change(o)
	srv, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	t.Cleanup(func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	})
	if !srv.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server does not start")
	}
	return srv.ClientURL()
}

// reach connects as the flags say, and waits a moment for the server when it is to be reached.
func reach(t *testing.T, url string, args ...string) error {
	t.Helper()
	var a struct{ Access }
	var stderr bytes.Buffer
	if _, ok := program.Parse(&a, args, &stderr, &stderr); !ok {
		t.Fatal(stderr.String())
	}
	if err := a.Check(); err != nil {
		return err
	}
	nc, err := jet.Connect(a.NATS("test", []string{url}))
	if err != nil {
		return err
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if nc.IsConnected() {
		return jet.WaitReady(ctx, nc)
	}
	ctx, cancel = context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	return jet.WaitReady(ctx, nc)
}

// hold runs a case with each set of flags: an empty want is a connection, else the error must say it.
func hold(t *testing.T, url string, cases map[string][]string) {
	t.Helper()
	for want, args := range cases {
		err := reach(t, url, args...)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

func TestTLS(t *testing.T) {
	f, others := secured.Certificates(t), secured.Certificates(t)
	url := demanding(t, func(o *server.Options) { o.TLSConfig, o.TLSTimeout = f.TLS(t, false), 5 })
	hold(t, url, map[string][]string{
		"": {"--tls-ca", f.CA},
		"name the certificate that signed the server's with --tls-ca": {},
		"signed the server's with --tls-ca":                           {"--tls-ca", others.CA},
		"holds no PEM certificate":                                    {"--tls-ca", f.ServerKey},
	})
	plain := demanding(t, func(*server.Options) {})
	hold(t, plain, map[string][]string{"": {}, "the server has no TLS": {"--tls-ca", f.CA}})
}

func TestMutualTLS(t *testing.T) {
	f, others := secured.Certificates(t), secured.Certificates(t)
	url := demanding(t, func(o *server.Options) { o.TLSConfig, o.TLSVerify, o.TLSTimeout = f.TLS(t, true), true, 5 })
	hold(t, url, map[string][]string{
		"":                                {"--tls-ca", f.CA, "--tls-cert", f.ClientCert, "--tls-key", f.ClientKey},
		"check --tls-cert and --tls-key":  {"--tls-ca", f.CA},
		"that it trusts: check":           {"--tls-ca", f.CA, "--tls-cert", others.ClientCert, "--tls-key", others.ClientKey},
		"client certificate: ":            {"--tls-ca", f.CA, "--tls-cert", f.ClientCert, "--tls-key", others.ClientKey},
		"--tls-cert and --tls-key belong": {"--tls-ca", f.CA, "--tls-cert", f.ClientCert},
	})
}

func TestNKey(t *testing.T) {
	mine, public := seedFile(t)
	other, _ := seedFile(t)
	url := demanding(t, func(o *server.Options) { o.Nkeys = []*server.NkeyUser{{Nkey: public}} })
	hold(t, url, map[string][]string{
		"":                        {"--nkey", mine},
		"does not know this user": {"--nkey", other},
		"check --creds or --nkey": {},
		"check --nkey":            {"--nkey", filepath.Join(t.TempDir(), "absent")},
		"choose one":              {"--nkey", mine, "--creds", mine},
	})
}

func seedFile(t *testing.T) (file, public string) {
	t.Helper()
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	if public, err = pair.PublicKey(); err != nil {
		t.Fatal(err)
	}
	return writeFile(t, "user.nk", seed), public
}

func writeFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// operator signs accounts, which sign users.
type operator struct {
	pair     nkeys.KeyPair
	claims   *jwt.OperatorClaims
	resolver *server.MemAccResolver
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	pair, public := newPair(t, nkeys.CreateOperator)
	return &operator{pair, jwt.NewOperatorClaims(public), &server.MemAccResolver{}}
}

func newPair(t *testing.T, create func() (nkeys.KeyPair, error)) (pair nkeys.KeyPair, public string) {
	t.Helper()
	pair, err := create()
	if err == nil {
		public, err = pair.PublicKey()
	}
	if err != nil {
		t.Fatal(err)
	}
	return pair, public
}

// account makes an account that may use JetStream when it is not the system's, and gives its name and its key.
func (o *operator) account(t *testing.T, system bool) (string, nkeys.KeyPair) {
	t.Helper()
	pair, public := newPair(t, nkeys.CreateAccount)
	claims := jwt.NewAccountClaims(public)
	if !system {
		claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	}
	token, err := claims.Encode(o.pair)
	if err == nil {
		err = o.resolver.Store(public, token)
	}
	if err != nil {
		t.Fatal(err)
	}
	return public, pair
}

// creds makes a user of the account and gives the file of its credentials.
func creds(t *testing.T, account nkeys.KeyPair) string {
	t.Helper()
	pair, public := newPair(t, nkeys.CreateUser)
	token, err := jwt.NewUserClaims(public).Encode(account)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	content, err := jwt.FormatUserConfig(token, seed)
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, "user.creds", content)
}

func TestCreds(t *testing.T) {
	o := newOperator(t)
	system, _ := o.account(t, true)
	_, account := o.account(t, false)
	_, stranger := newOperator(t).account(t, false)
	url := demanding(t, func(options *server.Options) {
		options.TrustedOperators, options.AccountResolver, options.SystemAccount = []*jwt.OperatorClaims{o.claims}, o.resolver, system
	})
	seed, _ := seedFile(t)
	hold(t, url, map[string][]string{
		"":                        {"--creds", creds(t, account)},
		"does not know this user": {"--creds", creds(t, stranger)},
		"hold no user's seed":     {"--creds", writeFile(t, "empty.creds", []byte("nothing"))},
		"check --creds":           {"--creds", filepath.Join(t.TempDir(), "absent")},
		"check --creds or --nkey": {"--nkey", seed},
	})
}
