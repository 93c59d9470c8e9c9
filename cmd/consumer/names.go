package main

import (
	"strings"
	"sync"
)

// other is the label of the names that came when enough others had been counted by their own.
const other = "other"

// maxName is how many bytes of a name a label holds.
const maxName = 128

// names are the names that have a label of their own, the first ones that came: producers choose names, and each one
// costs memory here and wherever the metrics are kept. It is safe for concurrent use.
type names struct {
	limit int

	mu     sync.RWMutex
	labels map[[2]string][2]string // guarded by mu
}

func newNames(limit int) *names { return &names{limit: limit, labels: map[[2]string][2]string{}} }

// label is the label of a name by itself.
func (n *names) label(name string) string {
	label, _ := n.pair(name, "")
	return label
}

// pair gives the labels of two names that belong together: their own, or other for both.
func (n *names) pair(a, b string) (string, string) {
	key := [2]string{a, b}
	n.mu.RLock()
	labels, known := n.labels[key]
	full := len(n.labels) >= n.limit
	n.mu.RUnlock()
	if !known && full {
		return other, other
	}
	if !known {
		labels = n.admit(key)
	}
	return labels[0], labels[1]
}

// admit gives the names labels of their own while there is room.
func (n *names) admit(key [2]string) [2]string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if labels, known := n.labels[key]; known {
		return labels
	}
	if len(n.labels) >= n.limit {
		return [2]string{other, other}
	}
	key = [2]string{strings.Clone(key[0]), strings.Clone(key[1])} // not the messages that they were cut from
	n.labels[key] = [2]string{labelText(key[0]), labelText(key[1])}
	return n.labels[key]
}

// labelText is the name as a label may hold it: UTF-8, and not long.
func labelText(name string) string {
	if len(name) > maxName {
		name = name[:maxName]
		return strings.ToValidUTF8(name, "") + "…"
	}
	return strings.ToValidUTF8(name, "�")
}
