// Package keyring makes the files that let a NATS server with the shipped configuration know its users, and them the
// server: an authority's certificate, those that it signs, and a key for every role. It answers "what must lie in the
// folder, and what of it is missing?".
//
// It holds no rule about who may do what: roles are those that the server's configuration names.
package keyring

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nkeys"
)

// EnvFile is the file of the ring that holds, for the server, the public key of every role as NKEY_<ROLE>=….
const EnvFile = "nats.env"

// Config says which files there must be. Now, Dir and Valid must be given.
type Config struct {
	Dir   string
	Roles []string // as the configuration names them: CONSUMER, PRODUCER_ACME
	// Hosts are the names and addresses under which the server's certificate is good.
	Hosts []string
	// Valid is how long the server's and the clients' certificates hold. The authority's own holds ten years.
	Valid time.Duration
	// Renew makes the server's and the clients' certificates anew, signed by the authority that is there.
	Renew bool
	// UID and GID own the files that are made; -1 leaves them to whoever makes them.
	UID, GID int
	Now      time.Time
}

// Ring is what lies in the folder.
type Ring struct {
	CA                    string // the authority's certificate
	ServerCert, ServerKey string
	ClientCert, ClientKey string
	// Seeds are the files of the roles' seeds, and Public their public keys.
	Seeds, Public map[string]string
	// Made are the files that were not there, or were made anew.
	Made []string
	// Until is when the first of the server's and the clients' certificates ends.
	Until time.Time
}

// roleName finds the roles that a server's configuration asks the environment for.
var roleName = regexp.MustCompile(`\$NKEY_([A-Z0-9_]+)`)

// Roles lists the roles that a server's configuration names as $NKEY_<ROLE>, sorted.
func Roles(config []byte) []string {
	var roles []string
	for _, match := range roleName.FindAllSubmatch(config, -1) {
		roles = append(roles, string(match[1]))
	}
	slices.Sort(roles)
	return slices.Compact(roles)
}

// Make makes what is missing and leaves what is there. A crash in the middle leaves whole files; called again, it goes on.
func Make(c Config) (Ring, error) {
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return Ring{}, err
	}
	if err := os.Chown(c.Dir, c.UID, c.GID); err != nil {
		return Ring{}, fmt.Errorf("give %s to its owner: %w", c.Dir, err)
	}
	m := &maker{Config: c, ring: Ring{Seeds: map[string]string{}, Public: map[string]string{}}}
	for _, step := range []func() error{m.certificates, m.keys, m.env} {
		if err := step(); err != nil {
			return Ring{}, err
		}
	}
	return m.ring, nil
}

// maker is one call of Make.
type maker struct {
	Config
	ring Ring
}

func (m *maker) path(name string) string { return filepath.Join(m.Dir, name) }

// write stores a file whole, for its owner alone, and notes it.
func (m *maker) write(name string, content []byte) error {
	temp := m.path(name + ".new")
	if err := os.WriteFile(temp, content, 0o600); err != nil {
		return err
	}
	if err := os.Chown(temp, m.UID, m.GID); err != nil {
		return fmt.Errorf("give %s to its owner: %w", m.path(name), err)
	}
	if err := os.Rename(temp, m.path(name)); err != nil {
		return err
	}
	m.ring.Made = append(m.ring.Made, m.path(name))
	return nil
}

// keys makes the seed of each role that has none.
func (m *maker) keys() error {
	for _, role := range m.Roles {
		name := strings.ToLower(strings.ReplaceAll(role, "_", "-")) + ".nk"
		seed, err := os.ReadFile(m.path(name))
		if os.IsNotExist(err) {
			seed, err = m.seed(name)
		}
		if err != nil {
			return err
		}
		public, err := publicKey(seed)
		if err != nil {
			return fmt.Errorf("%s: %w; remove it, and a new one is made", m.path(name), err)
		}
		m.ring.Seeds[role], m.ring.Public[role] = m.path(name), public
	}
	return nil
}

func (m *maker) seed(name string) ([]byte, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	seed, err := pair.Seed()
	if err != nil {
		return nil, err
	}
	return seed, m.write(name, append(slices.Clone(seed), '\n'))
}

func publicKey(seed []byte) (string, error) {
	pair, err := nkeys.FromSeed([]byte(strings.TrimSpace(string(seed))))
	if err != nil {
		return "", err
	}
	return pair.PublicKey()
}

// env writes what the server's configuration reads of its environment about the users, when it says something new.
func (m *maker) env() error {
	var b strings.Builder
	b.WriteString("# Public keys of the users, for the server. Made by keys; it is made anew when a role is added.\n")
	for _, role := range m.Roles {
		fmt.Fprintf(&b, "NKEY_%s=%s\n", role, m.ring.Public[role])
	}
	fmt.Fprintf(&b, "# Whom the files belong to: the user that reads them.\nPLUMBLINE_USER=%s\n", m.owner())
	if old, err := os.ReadFile(m.path(EnvFile)); err == nil && string(old) == b.String() {
		return nil
	}
	return m.write(EnvFile, []byte(b.String()))
}

func (m *maker) owner() string {
	uid, gid := m.UID, m.GID
	if uid < 0 {
		uid, gid = os.Geteuid(), os.Getegid()
	}
	return fmt.Sprintf("%d:%d", uid, gid)
}
