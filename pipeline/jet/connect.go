package jet

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// Config says how to reach a NATS server. Only URLs is required; file names are read once, when connecting.
type Config struct {
	URLs  []string
	Creds string // file with a user JWT and its seed
	NKey  string // file with a seed
	CA    string // file with the certificates that the server's must be signed by; empty: those of the system
	Cert  string // file with the client certificate, with Key
	Key   string
	Name  string // shown in the server's monitoring; empty: plumbline
	// Inbox begins the subjects that the connection is answered on, so that the server can keep every other user from
	// reading the answers; empty: the client's own, _INBOX.
	Inbox  string
	Logger *slog.Logger // told of lost and regained connections; nil: nobody is
}

// Connect returns a connection that keeps trying for ever, also when no server answers yet: WaitReady waits for one.
// It refuses what cannot work however long one waits, with what to change.
func Connect(c Config) (*nats.Conn, error) {
	options, err := c.checked()
	if err != nil {
		return nil, err
	}
	nc, err := nats.Connect(strings.Join(c.URLs, ","), options...)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w; check --nats-url", redacted(c.URLs), err)
	}
	return nc, nil
}

// Check refuses what Connect would refuse of the configuration and of the files that it names, and connects to nothing.
func (c Config) Check() error {
	_, err := c.checked()
	return err
}

func (c Config) checked() ([]nats.Option, error) {
	if len(c.URLs) == 0 {
		return nil, errors.New("no NATS server is named: set --nats-url or NATS_URL")
	}
	for i, address := range c.URLs {
		if _, err := url.Parse(address); err != nil {
			return nil, fmt.Errorf("NATS server %d of %d has an address that cannot be read: check --nats-url", i+1, len(c.URLs))
		}
	}
	return c.options()
}

func (c Config) options() ([]nats.Option, error) {
	name := c.Name
	if name == "" {
		name = "plumbline"
	}
	options := append(c.handlers(), nats.Name(name), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true), nats.SyncQueueLen(pageQueue),
		nats.ReconnectWait(250*time.Millisecond), nats.ReconnectJitter(250*time.Millisecond, time.Second))
	if c.Inbox != "" {
		options = append(options, nats.CustomInboxPrefix(c.Inbox))
	}
	user, err := c.user()
	if err != nil {
		return nil, err
	}
	secure, err := c.tls()
	if err != nil {
		return nil, err
	}
	return append(append(options, user...), secure...), nil
}

// user reads who connects. The files are tried now, because a connection that retries would hide the fault.
func (c Config) user() ([]nats.Option, error) {
	var out []nats.Option
	if c.Creds != "" && c.NKey != "" {
		return nil, errors.New("--creds and --nkey are both given: choose one")
	}
	if c.Creds != "" {
		if err := checkCreds(c.Creds); err != nil {
			return nil, err
		}
		out = append(out, nats.UserCredentials(c.Creds))
	}
	if c.NKey != "" {
		option, err := nats.NkeyOptionFromSeed(c.NKey)
		if err != nil {
			return nil, fmt.Errorf("nkey seed %s: %w; check --nkey", c.NKey, err)
		}
		out = append(out, option)
	}
	return out, nil
}

// checkCreds refuses a file that holds no user's seed. The library's error does not quote the file.
func checkCreds(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("credentials: %w; check --creds", err)
	}
	pair, err := nkeys.ParseDecoratedUserNKey(content)
	if err != nil {
		return fmt.Errorf("credentials %s hold no user's seed: %w; check --creds", file, err)
	}
	pair.Wipe()
	return nil
}

func (c Config) tls() ([]nats.Option, error) {
	if c.CA == "" && c.Cert == "" && c.Key == "" {
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	if (c.Cert == "") != (c.Key == "") {
		return nil, errors.New("--tls-cert and --tls-key belong together: give both or none")
	}
	if c.Cert != "" {
		pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
		if err != nil {
			return nil, fmt.Errorf("client certificate: %w; check --tls-cert and --tls-key", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	if c.CA != "" {
		pem, err := os.ReadFile(c.CA)
		if err != nil {
			return nil, fmt.Errorf("certificate authority: %w; check --tls-ca", err)
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("certificate authority %s holds no PEM certificate: check --tls-ca", c.CA)
		}
	}
	return []nats.Option{nats.Secure(t)}, nil
}

func (c Config) handlers() []nats.Option {
	log := c.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return []nats.Option{
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("connection to NATS lost, trying again", "error", err)
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) { log.Info("connected to NATS", "server", nc.ConnectedUrlRedacted()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Warn("NATS reports an error", "error", nameless(err))
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			if err := nc.LastError(); err != nil {
				log.Error("connection to NATS closed", "error", nameless(err))
			}
		}),
	}
}

// nameless is what an error of the client says, without the part of a refused subject that names a tenant, an agent, a
// conversation or a call: the words around it, which subjects of the server's own are refused, and the first two tokens
// of any other.
func nameless(err error) string {
	text := err.Error()
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return text
	}
	before, rest, _ := strings.Cut(text, "\"")
	subject, _, _ := strings.Cut(rest, "\"")
	tokens := strings.SplitN(subject, ".", 3)
	if !strings.HasPrefix(subject, "$") && len(tokens) == 3 {
		subject = tokens[0] + "." + tokens[1] + ".>"
	}
	return before + strconv.Quote(subject) + ": give its user that permission"
}

// WaitReady waits until the connection is up and its server answers for JetStream. The error says what stands in the way.
func WaitReady(ctx context.Context, nc *nats.Conn) error {
	for tick := pace(20*time.Millisecond, time.Second); ; {
		err := ready(ctx, nc)
		if err == nil || nc.IsClosed() || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
			return err
		}
		if !pause(ctx, nil, tick.NextBackOff()) {
			return &unready{err, ctx.Err()}
		}
	}
}

// unready says what stood in the way when there was no more time to wait. That the time was up says nothing to a person.
type unready struct{ cause, ended error }

func (u *unready) Error() string   { return u.cause.Error() }
func (u *unready) Unwrap() []error { return []error{u.cause, u.ended} }

func ready(ctx context.Context, nc *nats.Conn) error {
	if nc.IsClosed() {
		return fmt.Errorf("%w (%w); check --creds or --nkey", nats.ErrConnectionClosed, cmp.Or(nc.LastError(), nats.ErrConnectionClosed))
	}
	if !nc.IsConnected() {
		err := cmp.Or(probe(nc), nc.LastError(), nats.ErrDisconnected)
		return fmt.Errorf("no NATS server answers at %s: %w; %s", redacted(nc.Servers()), err, remedy(err))
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	// A cluster that has no leader yet does not answer, also not later: ask again soon.
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if _, err := js.AccountInfo(ctx); err != nil {
		return fmt.Errorf("JetStream does not answer: %w; enable it on the server (jetstream {} in its configuration) "+
			"and for this account", err)
	}
	return nil
}

// probe tries to connect once, as the connection does, and says what came of it. The connection itself forgets what its
// attempts came to.
func probe(nc *nats.Conn) error {
	o := nc.Opts
	o.RetryOnFailedConnect, o.AllowReconnect, o.Timeout = false, false, time.Second
	o.ClosedCB, o.DisconnectedErrCB, o.AsyncErrorCB, o.ReconnectedCB, o.ConnectedCB = nil, nil, nil, nil, nil
	once, err := o.Connect()
	if err != nil {
		return err
	}
	once.Close()
	return nil
}

// remedy is what to do about a server that cannot be connected to.
func remedy(err error) string {
	_, untrusted := errors.AsType[x509.UnknownAuthorityError](err)
	switch {
	case untrusted:
		return "name the certificate that signed the server's with --tls-ca"
	case errors.Is(err, nats.ErrAuthorization):
		return "it does not know this user: check --creds or --nkey"
	case errors.Is(err, nats.ErrSecureConnWanted):
		return "the server has no TLS: leave the --tls flags out, or check --nats-url"
	case strings.Contains(err.Error(), "remote error: tls: "), strings.Contains(err.Error(), "by remote after TLS handshake"):
		return "the server wants a client certificate that it trusts: check --tls-cert and --tls-key"
	}
	return "start one, or check --nats-url"
}

// redacted lists server addresses without the passwords that they may carry.
func redacted(urls []string) string {
	shown := make([]string, len(urls))
	for i, raw := range urls {
		shown[i] = "an address that cannot be read"
		if u, err := url.Parse(raw); err == nil {
			shown[i] = u.Redacted()
		}
	}
	return strings.Join(shown, ", ")
}

// MayPass tells whether a fault of a server passes by itself: a stream or a consumer without a leader answers late or not
// at all until it has one.
func MayPass(err error) bool {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return api.Code == 503 && api.ErrorCode != jetstream.JSErrCodeJetStreamNotEnabledForAccount
	}
	for _, passing := range []error{context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return false
}
