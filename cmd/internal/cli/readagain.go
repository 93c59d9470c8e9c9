package cli

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxPolicy is how long a policy file may be that is read while the consumer works, in bytes.
const maxPolicy = 16 << 20

// ReadAgain reads a file that is read again and again. It never waits and never takes more than maxPolicy: what stands at the
// path may have become a pipe that nobody writes to, or a device without an end. Neither can be read twice.
func ReadAgain(path string) (content []byte, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file: it cannot be read again", path)
	}
	content, err = io.ReadAll(io.LimitReader(f, maxPolicy+1))
	if err == nil && len(content) > maxPolicy {
		return nil, fmt.Errorf("%s is longer than %d bytes", path, maxPolicy)
	}
	return content, err
}
