package jet

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func TestTemporaryStoreIsRemoved(t *testing.T) {
	e, err := StartEmbedded(EmbeddedConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(e.temp); err != nil {
		t.Error(err)
	}
	e.Close()
	e.Close()
	if _, err := os.Stat(e.temp); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the store is left behind: %v", err)
	}
}

func TestKeptStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for round, want := range []int{4, 0} {
		e, err := StartEmbedded(EmbeddedConfig{StoreDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := StartEmbedded(EmbeddedConfig{StoreDir: dir}); err == nil || !strings.Contains(err.Error(), "in use by another process") {
			t.Errorf("a second server on the same store: %v", err)
		}
		nc, err := e.Connect(Config{})
		if err != nil {
			t.Fatal(err)
		}
		js, err := jetstream.New(nc)
		if err != nil {
			t.Fatal(err)
		}
		if made, err := Provision(t.Context(), js, StreamsConfig{}); err != nil || len(made) != want {
			t.Errorf("round %d made %v, %v; want %d", round, made, err, want)
		}
		nc.Close()
		e.Close()
	}
}

func TestEmbeddedErrors(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for wrong, c := range map[string]EmbeddedConfig{
		"address already in use": {Port: taken.Addr().(*net.TCPAddr).Port},
		"--store-dir":            {StoreDir: file},
	} {
		if e, err := StartEmbedded(c); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%+v: %v, want %q", c, err, wrong)
			if err == nil {
				e.Close()
			}
		}
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("the refusals took %s", d)
	}
}

func TestEmbeddedLogs(t *testing.T) {
	var out bytes.Buffer
	e, err := StartEmbedded(EmbeddedConfig{Logger: slog.New(slog.NewTextHandler(&out, nil))})
	if err != nil {
		t.Fatal(err)
	}
	url := e.URL()
	e.Close()
	if !strings.HasPrefix(url, "nats://127.0.0.1:") || !strings.Contains(out.String(), "nats-server") {
		t.Errorf("url %s, log %q", url, out.String())
	}
}

func TestConnectErrors(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent")
	pem := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(pem, []byte("not a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := []string{"nats://127.0.0.1:1"}
	for want, c := range map[string]Config{
		"set --nats-url":           {},
		"check --creds":            {URLs: url, Creds: absent},
		"check --nkey":             {URLs: url, NKey: absent},
		"choose one":               {URLs: url, NKey: absent, Creds: absent},
		"check --tls-ca":           {URLs: url, CA: absent},
		"holds no PEM certificate": {URLs: url, CA: pem},
		"give both or none":        {URLs: url, Cert: absent},
		"check --tls-cert":         {URLs: url, Cert: absent, Key: absent},
		"check --nats-url":         {URLs: []string{"nats://user:secret@127.0.0.1:0x"}},
	} {
		nc, err := Connect(c)
		if err == nil {
			nc.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v, want %q", c, err, want)
		}
	}
}

func TestWaitReady(t *testing.T) {
	nc, err := Connect(Config{URLs: []string{"nats://user:secret@127.0.0.1:1"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err = WaitReady(ctx, nc)
	if err == nil || !strings.Contains(err.Error(), "check --nats-url") || strings.Contains(err.Error(), "secret") || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a server: %v", err)
	}
	nc.Close()
	if err := WaitReady(t.Context(), nc); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("closed: %v", err)
	}
	if nc, err = shared.Connect(Config{}); err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if err := WaitReady(t.Context(), nc); err != nil {
		t.Error(err)
	}
}
