package secured

import (
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/cmd/internal/keyring"
)

// Files are the certificates of one deployment, in PEM.
type Files struct {
	CA                    string // signed the others
	ServerCert, ServerKey string // for localhost and 127.0.0.1
	ClientCert, ClientKey string
}

// Certificates makes an authority and what it signs, in a folder of the test.
func Certificates(t *testing.T) Files {
	t.Helper()
	r := ring(t, nil)
	return Files{r.CA, r.ServerCert, r.ServerKey, r.ClientCert, r.ClientKey}
}

// ring makes what an operator makes with the keys command, for an hour and in a folder of the test.
func ring(t *testing.T, roles []string) keyring.Ring {
	t.Helper()
	r, err := keyring.Make(keyring.Config{
		Dir: t.TempDir(), Roles: roles, Hosts: []string{"localhost", "127.0.0.1"}, Valid: time.Hour, UID: -1, GID: -1, Now: time.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
