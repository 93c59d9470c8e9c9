//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package jet

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lockDir takes a directory for this process until the file is closed or the process ends. Two servers on one store
// would corrupt it, and nats-server does not look.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "plumbline.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store directory: %w; choose another --store-dir", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close() //nolint:errcheck // nothing was written
		return nil, fmt.Errorf("store directory %s is in use by another process: stop it, or choose another --store-dir", dir)
	}
	return f, nil
}
