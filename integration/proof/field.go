package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// field is where a command runs: a folder, the servers, and the consumers.
type field struct {
	dir       string
	temporary bool
	program   string // the consumer
	cluster   *cluster
	running   []*process // the consumers
}

// newField makes the folder, and the consumer program when there is none. It expects to be run inside the repository.
func newField(dir, program string) (*field, error) {
	f := &field{dir: dir, program: program, temporary: dir == ""}
	var err error
	if f.temporary {
		f.dir, err = os.MkdirTemp("", "plumbline-proof-")
	} else {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil || program != "" {
		return f, err
	}
	f.program = filepath.Join(f.dir, "consumer")
	build := exec.Command("go", "build", "-o", f.program, "github.com/plumbline-dev/plumbline/cmd/consumer")
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the consumer: %w\n%s", err, said)
	}
	return f, nil
}

// open starts the servers.
func (f *field) open(ctx context.Context, servers int) (err error) {
	f.cluster, err = startCluster(ctx, f.dir, servers)
	return err
}

// consumers starts that many, and waits until the streams that they make are there.
func (f *field) consumers(ctx context.Context, count int, args ...string) error {
	for i := range count {
		name := fmt.Sprintf("consumer%d", i)
		argv := append([]string{f.program, "--nats-url", strings.Join(f.cluster.urls, ",")}, args...)
		p := &process{name: name, log: filepath.Join(f.dir, name+".log"), argv: argv}
		f.running = append(f.running, p)
		if err := p.start(); err != nil {
			return err
		}
	}
	made := func() bool {
		for _, stream := range []string{jet.EventsStream, jet.AuditStream, jet.DeadStream} {
			if _, err := f.cluster.js.Stream(ctx, stream); err != nil {
				return false
			}
		}
		return true
	}
	if !eventually(ctx, 2*time.Minute, made) {
		return errors.New("the consumers did not make the streams within two minutes; see " + f.running[0].log)
	}
	return nil
}

// idle tells whether every event was handed out and acknowledged, by what the durables of that many partitions say.
func (f *field) idle(ctx context.Context, partitions int) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	stream, err := f.cluster.js.Stream(ctx, jet.EventsStream)
	if err != nil {
		return false
	}
	list := stream.ListConsumers(ctx)
	durables := 0
	for info := range list.Info() {
		durables++
		if info.NumPending > 0 || info.NumAckPending > 0 {
			return false
		}
	}
	return list.Err() == nil && durables >= partitions
}

// stop asks every consumer to stop.
func (f *field) stop() error {
	var errs []error
	for _, p := range f.running {
		errs = append(errs, p.stop())
	}
	return errors.Join(errs...)
}

// complaints are the ends of consumers that should not have been.
func (f *field) complaints() (all []string) {
	for _, p := range f.running {
		all = append(all, p.complaints()...)
	}
	return all
}

// gaveUp is how often a consumer ended by itself, said why, and was started again.
func (f *field) gaveUp() (times int) {
	for _, p := range f.running {
		times += p.gaveUpTimes()
	}
	return times
}

// clear ends everything that still runs. A temporary folder goes, unless there is something to look at.
func (f *field) clear(holds bool) error {
	var errs []error
	for _, p := range f.running {
		errs = append(errs, p.kill())
	}
	errs = append(errs, f.cluster.close())
	if f.temporary && holds {
		errs = append(errs, os.RemoveAll(f.dir))
	}
	return errors.Join(errs...)
}
