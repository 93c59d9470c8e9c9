package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
)

// The first names that come have labels of their own, and keep them.
func TestNamesAreBounded(t *testing.T) {
	n := newNames(2)
	for range 2 {
		for name, want := range map[string]string{"a": "a", "b": "b"} {
			if got := n.label(name); got != want {
				t.Errorf("%s is counted as %s", name, got)
			}
		}
	}
	if tenant, agent := n.pair("c", "d"); tenant != other || agent != other {
		t.Errorf("a third name is counted as %s, %s", tenant, agent)
	}
	if got := newNames(0).label("a"); got != other {
		t.Errorf("no name may be counted, and one is: %s", got)
	}
}

// Many goroutines that bring many names get no more labels than there may be.
func TestNamesAreBoundedForAll(t *testing.T) {
	n, labels := newNames(10), sync.Map{}
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 100 {
				labels.Store(n.label(fmt.Sprint((g*31+i)%100)), true)
			}
		})
	}
	all.Wait()
	count := 0
	labels.Range(func(any, any) bool { count++; return true })
	if count != 11 {
		t.Errorf("%d labels, want 10 and %s", count, other)
	}
}

// Every name, whatever its bytes, is a label that the registry takes.
func TestEveryNameMakesALabel(t *testing.T) {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "c"}, []string{"name"})
	registry := prometheus.NewRegistry()
	registry.MustRegister(vec)
	n := newNames(100)
	for _, name := range []string{"", "\xff\xfe", "\x00", "a\nb", `"`, strings.Repeat("ü", 300), strings.Repeat("\xff", 300)} {
		label := n.label(name)
		if !utf8.ValidString(label) || len(label) > maxName+3 {
			t.Errorf("%q makes %q", name, label)
		}
		vec.WithLabelValues(label).Inc()
	}
	if _, err := registry.Gather(); err != nil {
		t.Error(err)
	}
}
