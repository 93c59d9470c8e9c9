package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// stopWait is how long a process may take to stop when it is asked to.
const stopWait = 30 * time.Second

// process is a program that runs beside this one. Its output goes to a file; the next start appends to it.
type process struct {
	name string
	log  string
	argv []string

	mu     sync.Mutex
	cmd    *exec.Cmd     // guarded by mu
	ended  chan struct{} // guarded by mu; closed when the running one ended
	asked  bool          // guarded by mu: its end was asked for
	gaveUp int           // guarded by mu: how often it ended by itself and said that it could not go on
	faults []string      // guarded by mu: ends that nobody asked for, and stops that went wrong
}

// start starts the program again.
func (p *process) start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.launch()
}

// launch starts the program. It is called under the lock.
func (p *process) launch() error {
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close() //nolint:errcheck // the process has its own
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = out, out, attributes()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.name, err)
	}
	p.cmd, p.ended, p.asked = cmd, make(chan struct{}), false
	go p.wait(cmd, p.ended)
	return nil
}

// wait looks after an end that nobody asked for. A program that says that it could not go on is started again, as a
// supervisor would; any other end is noted.
func (p *process) wait(cmd *exec.Cmd, ended chan struct{}) {
	err := cmd.Wait()
	p.mu.Lock()
	gaveUp := !p.asked && cmd.ProcessState.ExitCode() == exitUnfinished
	switch {
	case gaveUp:
		p.gaveUp++
	case !p.asked:
		p.faults = append(p.faults, fmt.Sprintf("%s ended by itself: %v; see %s", p.name, err, p.log))
	}
	p.mu.Unlock()
	close(ended)
	if gaveUp {
		time.Sleep(time.Second)
		p.startAfter(cmd)
	}
}

// startAfter starts the program again when nothing was done to it since the process ended.
func (p *process) startAfter(cmd *exec.Cmd) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd != cmd || p.asked {
		return
	}
	if err := p.launch(); err != nil {
		p.faults = append(p.faults, err.Error())
	}
}

// kill ends the process without a word, and waits for its end.
func (p *process) kill() error {
	_, err := p.end(os.Kill)
	return err
}

// stop asks the process to end. One that does not in time, or that breaks, is noted.
func (p *process) stop() error {
	inTime, err := p.end(terminate)
	if err != nil {
		return err
	}
	if !inTime {
		err = p.kill()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return err
	}
	// -1 is an end by the signal itself: the process was too young to know what to do with it.
	if code := p.cmd.ProcessState.ExitCode(); !inTime || code != exitHolds && code != exitUnfinished && code != -1 {
		p.faults = append(p.faults, fmt.Sprintf("%s was asked to stop: %v; see %s", p.name, p.cmd.ProcessState, p.log))
	}
	return err
}

// end sends the signal and waits for the end, for a while.
func (p *process) end(s os.Signal) (inTime bool, err error) {
	p.mu.Lock()
	p.asked = true
	ended := p.ended
	p.mu.Unlock()
	if ended == nil {
		return true, nil
	}
	if err := p.signal(s); err != nil {
		return false, err
	}
	select {
	case <-ended:
		return true, nil
	case <-time.After(stopWait):
		return false, nil
	}
}

// signal sends a signal to the process; one that has ended gets none.
func (p *process) signal(s os.Signal) error {
	p.mu.Lock()
	cmd := p.cmd
	p.mu.Unlock()
	if err := cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signal %s: %w", p.name, err)
	}
	return nil
}

// complaints are the ends that should not have been.
func (p *process) complaints() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults
}

// gaveUpTimes is how often the program ended by itself and was started again.
func (p *process) gaveUpTimes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gaveUp
}
