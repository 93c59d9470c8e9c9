package jet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// The defaults of EmbeddedConfig.
const (
	// DefaultMaxStore bounds the file storage of an embedded server.
	DefaultMaxStore = 8 << 30
	// MaxPayload is the largest message, headers included, that an embedded server takes.
	MaxPayload = 8 << 20
	// startWait is how long a server may take to be ready; recovering a large store takes time.
	startWait = 30 * time.Second
)

// EmbeddedConfig says how a server inside this process runs. The zero value is usable: any free port on 127.0.0.1 and a
// store that is gone when the server is closed.
type EmbeddedConfig struct {
	StoreDir string // where streams are kept; empty: a temporary directory, removed by Close
	Port     int    // on 127.0.0.1; 0: any free one
	// NoListen opens no port at all: only Connect reaches the server. It is what a testing/synctest bubble needs.
	NoListen bool
	MaxStore int64 // bytes; 0: DefaultMaxStore
	// SyncAlways writes every message through to the disk before it is acknowledged. Without it a crash of the
	// machine, not of the process, can lose what was stored in the last two minutes.
	SyncAlways bool
	Logger     *slog.Logger // nil: the server logs nothing
}

// Embedded is a NATS server with JetStream inside this process.
type Embedded struct {
	server *server.Server
	lock   *os.File // holds the store directory against a second server; nil for a temporary one
	temp   string   // the directory to remove, empty when it is to be kept
	close  sync.Once
}

// StartEmbedded starts a server and returns once it takes connections.
func StartEmbedded(c EmbeddedConfig) (*Embedded, error) {
	e := &Embedded{}
	if err := e.prepareStore(&c); err != nil {
		return nil, err
	}
	log := &serverLog{to: c.Logger}
	srv, err := server.NewServer(c.options())
	if err != nil {
		e.Close()
		return nil, fmt.Errorf("embedded server: %w", err)
	}
	e.server = srv
	srv.SetLoggerV2(log, false, false, false)
	srv.Start()
	if fatal := log.fatal(); fatal != nil || !srv.ReadyForConnections(startWait) {
		e.Close()
		return nil, fmt.Errorf("embedded server on port %d with store %s: %w", c.Port, c.StoreDir,
			errors.Join(fatal, errors.New("it did not start: choose another port or another --store-dir")))
	}
	return e, nil
}

// prepareStore makes the store directory and takes it for this process alone.
func (e *Embedded) prepareStore(c *EmbeddedConfig) (err error) {
	if c.StoreDir == "" {
		e.temp, err = os.MkdirTemp("", "plumbline-")
		c.StoreDir = e.temp
		return err
	}
	if err := os.MkdirAll(c.StoreDir, 0o700); err != nil {
		return fmt.Errorf("store directory: %w; choose another --store-dir", err)
	}
	e.lock, err = lockDir(c.StoreDir)
	return err
}

func (c EmbeddedConfig) options() *server.Options {
	o := &server.Options{
		ServerName: "plumbline", Host: "127.0.0.1", Port: c.Port, DontListen: c.NoListen,
		JetStream: true, StoreDir: c.StoreDir, JetStreamMaxStore: c.MaxStore, JetStreamMaxMemory: 64 << 20,
		MaxPayload: MaxPayload, SyncAlways: c.SyncAlways, NoSigs: true, NoLog: c.Logger == nil,
		DisableJetStreamBanner: true,
	}
	if o.Port == 0 {
		o.Port = server.RANDOM_PORT
	}
	if o.JetStreamMaxStore <= 0 {
		o.JetStreamMaxStore = DefaultMaxStore
	}
	return o
}

// URL is where clients outside this process connect, empty when the server does not listen.
func (e *Embedded) URL() string {
	if e.server.Addr() == nil {
		return ""
	}
	return e.server.ClientURL()
}

// Connect opens a connection inside the process. The caller closes it.
func (e *Embedded) Connect(c Config) (*nats.Conn, error) {
	options, err := c.options()
	if err != nil {
		return nil, err
	}
	return nats.Connect("", append(options, nats.InProcessServer(e))...)
}

// InProcessConn opens the bare connection that a client of its own options speaks over: nats.InProcessServer takes e.
func (e *Embedded) InProcessConn() (net.Conn, error) { return e.server.InProcessConn() }

// Close stops the server, waits for it, and removes a temporary store. What was stored in a kept directory is there for
// the next start.
func (e *Embedded) Close() {
	e.close.Do(func() {
		if e.server != nil {
			e.server.Shutdown()
			e.server.WaitForShutdown()
		}
		if e.lock != nil {
			e.lock.Close() //nolint:errcheck // the lock ends with the file or with the process
		}
		if e.temp != "" {
			os.RemoveAll(e.temp) //nolint:errcheck // it lies in the folder for temporary files
		}
	})
}

// serverLog hands the server's log on. It keeps a fatal message instead of ending the process with it.
type serverLog struct {
	to   *slog.Logger
	mu   sync.Mutex
	died error // guarded by mu
}

func (l *serverLog) log(level slog.Level, format string, v []any) {
	if l.to != nil {
		l.to.Log(context.Background(), level, fmt.Sprintf(format, v...), "from", "nats-server")
	}
}

func (l *serverLog) fatal() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.died
}

func (l *serverLog) Noticef(format string, v ...any) { l.log(slog.LevelInfo, format, v) }
func (l *serverLog) Warnf(format string, v ...any)   { l.log(slog.LevelWarn, format, v) }
func (l *serverLog) Errorf(format string, v ...any)  { l.log(slog.LevelError, format, v) }
func (l *serverLog) Debugf(format string, v ...any)  { l.log(slog.LevelDebug, format, v) }
func (l *serverLog) Tracef(format string, v ...any)  { l.log(slog.LevelDebug, format, v) }

func (l *serverLog) Fatalf(format string, v ...any) {
	l.log(slog.LevelError, format, v)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.died = errors.Join(l.died, fmt.Errorf(format, v...))
}
