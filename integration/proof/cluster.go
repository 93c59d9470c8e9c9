package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// cluster is some NATS servers, each a process with its own store, and this program's connection to them.
type cluster struct {
	nodes []*process
	urls  []string
	nc    *nats.Conn
	js    jetstream.JetStream
}

// startCluster starts that many servers in the folder and waits until JetStream answers.
func startCluster(ctx context.Context, dir string, size int) (*cluster, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ports, err := freePorts(2 * size)
	if err != nil {
		return nil, err
	}
	c := &cluster{}
	for i := range size {
		name := fmt.Sprintf("node%d", i)
		config := filepath.Join(dir, name+".conf")
		if err := os.WriteFile(config, []byte(nodeConfig(dir, i, ports)), 0o600); err != nil {
			return nil, err
		}
		n := &process{name: name, log: filepath.Join(dir, name+".log"), argv: []string{self, "node", config}}
		c.nodes = append(c.nodes, n)
		c.urls = append(c.urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
		if err := n.start(); err != nil {
			return c, err
		}
	}
	return c, c.connect(ctx)
}

// nodeConfig is the configuration of server i: the first half of the ports is for clients, the other for the servers
// among themselves. The operating system is not killed, so nothing is written through to the disk.
func nodeConfig(dir string, i int, ports []int) string {
	size := len(ports) / 2
	var b strings.Builder
	fmt.Fprintf(&b, "server_name: node%d\nlisten: 127.0.0.1:%d\nmax_payload: %d\n", i, ports[i], jet.MaxPayload)
	fmt.Fprintf(&b, "jetstream { store_dir: %q, max_file_store: 60GB }\n", filepath.Join(dir, fmt.Sprintf("store%d", i)))
	if size == 1 {
		return b.String()
	}
	var routes []string
	for _, port := range ports[size:] {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", port))
	}
	fmt.Fprintf(&b, "cluster { name: plumbline, listen: 127.0.0.1:%d, routes: [%s] }\n", ports[size+i], strings.Join(routes, ", "))
	return b.String()
}

// freePorts finds ports that nobody listens on.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() //nolint:errcheck // it took no connection
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

func (c *cluster) connect(ctx context.Context) (err error) {
	if c.nc, err = jet.Connect(jet.Config{URLs: c.urls, Name: "proof"}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	if err := jet.WaitReady(ctx, c.nc); err != nil {
		return err
	}
	c.js, err = jetstream.New(c.nc, jetstream.WithDefaultTimeout(10*time.Second))
	return err
}

// close ends the servers. What they stored lies in their folder.
func (c *cluster) close() error {
	if c == nil {
		return nil
	}
	if c.nc != nil {
		c.nc.Close()
	}
	var errs []error
	for _, n := range c.nodes {
		errs = append(errs, n.kill())
	}
	return errors.Join(errs...)
}

// leader is the server that leads the stream now, nil when none does.
func (c *cluster) leader(ctx context.Context, stream string) (*process, error) {
	s, err := c.js.Stream(ctx, stream)
	if err != nil {
		return nil, fmt.Errorf("who leads stream %s: %w", stream, err)
	}
	info := s.CachedInfo().Cluster
	if info == nil {
		return nil, nil
	}
	i := slices.IndexFunc(c.nodes, func(n *process) bool { return n.name == info.Leader })
	if i < 0 {
		return nil, nil
	}
	return c.nodes[i], nil
}

// whole tells whether every copy of every stream is there and up to date.
func (c *cluster) whole(ctx context.Context) bool {
	for _, name := range []string{jet.EventsStream, jet.AuditStream, jet.DeadStream} {
		s, err := c.js.Stream(ctx, name)
		if err != nil {
			return false
		}
		info := s.CachedInfo().Cluster
		if info == nil || info.Leader == "" {
			return false
		}
		for _, copied := range info.Replicas {
			if copied.Offline || !copied.Current {
				return false
			}
		}
	}
	return true
}

// eventually waits until what is asked for is so, or the time is over.
func eventually(ctx context.Context, limit time.Duration, so func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for !so() {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(200 * time.Millisecond):
		}
	}
	return true
}
