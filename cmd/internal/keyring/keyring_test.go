package keyring

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func config(t *testing.T) Config {
	t.Helper()
	return Config{
		Dir: filepath.Join(t.TempDir(), "secrets"), Roles: []string{"CONSUMER", "PRODUCER_ACME"}, Hosts: []string{"nats-1", "127.0.0.1"},
		Valid: time.Hour, UID: -1, GID: -1, Now: time.Now(),
	}
}

func ringOf(t *testing.T, c Config) Ring {
	t.Helper()
	r, err := Make(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// certificate reads the first certificate of a file.
func certificate(t *testing.T, cert, key string) *x509.Certificate {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	return pair.Leaf
}

func TestRoles(t *testing.T) {
	got := Roles([]byte("users: [{nkey: $NKEY_B}, {nkey: $NKEY_A_1}, {nkey: $NKEY_B}] # $NATS_TLS_CA"))
	if want := []string{"A_1", "B"}; !slices.Equal(got, want) {
		t.Errorf("roles %q, want %q", got, want)
	}
}

func TestWhatIsThereIsLeft(t *testing.T) {
	c := config(t)
	first := ringOf(t, c)
	if want := []string{"ca.key", "ca.pem", "server.key", "server.pem", "client.key", "client.pem"}; !slices.Equal(names(first.Made)[:len(want)], want) {
		t.Errorf("made %q, want %q first", names(first.Made), want)
	}
	if again := ringOf(t, c); len(again.Made) > 0 || again.Public["CONSUMER"] != first.Public["CONSUMER"] {
		t.Errorf("made again: %q", again.Made)
	}
	c.Roles = append(c.Roles, "READER")
	more := ringOf(t, c)
	if want := []string{"reader.nk", EnvFile}; !slices.Equal(names(more.Made), want) {
		t.Errorf("a further role made %q, want %q", names(more.Made), want)
	}
	env, err := os.ReadFile(filepath.Join(c.Dir, EnvFile))
	if err != nil {
		t.Fatal(err)
	}
	for role, key := range more.Public {
		if !strings.Contains(string(env), "NKEY_"+role+"="+key+"\n") {
			t.Errorf("%s does not say the key of %s", EnvFile, role)
		}
	}
}

func TestWhatIsMissingIsMadeAgain(t *testing.T) {
	c := config(t)
	first := ringOf(t, c)
	if err := os.Remove(first.ClientCert); err != nil {
		t.Fatal(err)
	}
	if got := names(ringOf(t, c).Made); !slices.Equal(got, []string{"client.key", "client.pem"}) {
		t.Errorf("made %q", got)
	}
}

func TestRenewKeepsTheAuthority(t *testing.T) {
	c := config(t)
	r := ringOf(t, c)
	before := certificate(t, r.ServerCert, r.ServerKey)
	c.Renew = true
	r = ringOf(t, c)
	after := certificate(t, r.ServerCert, r.ServerKey)
	if after.Equal(before) {
		t.Error("the server's certificate is the same one")
	}
	roots := x509.NewCertPool()
	ca, err := os.ReadFile(r.CA)
	if err != nil {
		t.Fatal(err)
	}
	roots.AppendCertsFromPEM(ca)
	for _, host := range c.Hosts {
		if _, err := after.Verify(x509.VerifyOptions{DNSName: host, Roots: roots}); err != nil {
			t.Errorf("as %s: %v", host, err)
		}
	}
	if slices.ContainsFunc(r.Made, func(file string) bool { return strings.HasSuffix(file, ".nk") || filepath.Base(file) == "ca.pem" }) {
		t.Errorf("renewed %q", r.Made)
	}
}

func TestFilesAreTheirOwnersAlone(t *testing.T) {
	for _, file := range ringOf(t, config(t)).Made {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", file, info.Mode())
		}
	}
}

func TestBrokenFilesAreNamed(t *testing.T) {
	for _, name := range []string{"consumer.nk", "ca.pem", "server.key"} {
		c := config(t)
		ringOf(t, c)
		if err := os.WriteFile(filepath.Join(c.Dir, name), []byte("nothing"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Make(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is broken: %v", name, err)
		}
	}
}

func names(files []string) []string {
	var short []string
	for _, file := range files {
		short = append(short, filepath.Base(file))
	}
	return short
}
