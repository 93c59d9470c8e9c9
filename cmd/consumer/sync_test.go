package main

import (
	"io"
	"testing"
)

// TestSyncAlwaysReachesTheServerInside holds that the server inside waits for the disk when it is told to, and only then.
func TestSyncAlwaysReachesTheServerInside(t *testing.T) {
	for _, want := range []bool{true, false} {
		var f flags
		var args []string
		if want {
			args = []string{"--sync-always"}
		}
		if code, ok := program.Parse(&f, args, io.Discard, io.Discard); !ok {
			t.Fatalf("code %d", code)
		}
		c, err := f.config()
		if err != nil {
			t.Fatal(err)
		}
		if c.Embedded.SyncAlways != want {
			t.Errorf("%q: the server inside waits for the disk: %t", args, c.Embedded.SyncAlways)
		}
	}
}
