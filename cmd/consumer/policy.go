package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/policy"
)

// policyFile is where the rules come from.
type policyFile struct {
	Path    string // empty: from nowhere, they never change
	Ruleset string // as --rules says
	Values  cli.Values
}

// lookAtPolicy is how often the policy file is looked at. It is read as a whole and compared: that sees every way in which a
// file is replaced, the links of a Kubernetes volume among them, and costs nothing that could be measured.
const lookAtPolicy = time.Second

// followPolicy judges by what the policy file says whenever it changes, until stop is called or ctx ends.
func (s *service) followPolicy(ctx context.Context, member *pipeline.Member) (stop func()) {
	if s.config.Policy.Path == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	w := &policyWatch{
		file: s.config.Policy, used: s.config.Rules, service: s,
		adopt: func(rules *policy.Set) {
			s.state.judges(rules)
			member.Adopt(rules)
		},
	}
	var over sync.WaitGroup
	over.Go(func() { w.run(ctx, time.Tick(lookAtPolicy), hangup) })
	return func() {
		signal.Stop(hangup)
		cancel()
		over.Wait()
	}
}

// policyWatch follows a policy file. Its fields are owned by run.
type policyWatch struct {
	file    policyFile
	used    *policy.Set
	adopt   func(*policy.Set)
	service *service

	seen    seen // at the last look
	handled seen // what was said of it
}

// seen is what the file held, or why it could not be read.
type seen struct {
	content []byte
	problem string
}

func (s seen) same(t seen) bool { return s.problem == t.problem && bytes.Equal(s.content, t.content) }

// run looks at the file at every tick and every hangup.
func (w *policyWatch) run(ctx context.Context, ticks <-chan time.Time, hangups <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			w.look(false)
		case <-hangups:
			w.look(true)
		}
	}
}

// look takes in what the file says. Unless it is asked for, a change counts once two looks in a row saw the same: a file that
// is being written may well be a policy that says less.
func (w *policyWatch) look(asked bool) {
	var now seen
	content, err := cli.ReadAgain(w.file.Path)
	if now.content = content; err != nil {
		now = seen{problem: fmt.Sprintf("--policy: %v", err)}
	}
	settled := asked || now.same(w.seen)
	w.seen = now
	if !settled || now.same(w.handled) && !asked {
		return
	}
	w.handled = now
	if now.problem != "" {
		w.refuse(now.problem)
		return
	}
	rules, err := cli.RulesOf(w.file.Ruleset, w.file.Path, now.content, w.file.Values)
	if err != nil {
		w.refuse(err.Error())
		return
	}
	w.take(rules, asked)
}

// refuse goes on with the policy before.
func (w *policyWatch) refuse(reason string) {
	w.service.metrics.policies.WithLabelValues(policyRefused).Inc()
	w.service.metrics.refused.Set(1)
	w.service.log.Error("the policy was refused, and the one before stays", "reason", reason, "policy", w.used.Digest())
}

// take judges by the rules from now on, unless they are those in use.
func (w *policyWatch) take(rules *policy.Set, asked bool) {
	w.service.metrics.refused.Set(0)
	before := w.used
	if before.Digest() == rules.Digest() {
		if asked {
			w.service.log.Info("the policy file says what is in use", "policy", rules.Digest())
		}
		return
	}
	w.used = rules
	w.service.metrics.policies.WithLabelValues(policyTaken).Inc()
	w.service.log.Info("the policy changes: what is in hand is finished by the one before",
		"policy_before", before.Digest(), "policy", rules.Digest(),
		"base_before", before.Base().Digest(), "base_after", rules.Base().Digest())
	w.adopt(rules)
}
