package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Bytes is a number of bytes, written plainly or with a unit: 1048576, 256MiB, 64MB.
type Bytes int64

var byteUnits = []struct {
	suffix string
	size   int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
	{"B", 1}, {"", 1},
}

// UnmarshalText reads a number of bytes.
func (b *Bytes) UnmarshalText(text []byte) error {
	for _, unit := range byteUnits {
		digits, ok := strings.CutSuffix(strings.TrimSpace(string(text)), unit.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/unit.size {
			break
		}
		*b = Bytes(n * unit.size)
		return nil
	}
	return fmt.Errorf("%q is no number of bytes: write 268435456 or 256MiB", text)
}

// String writes the number with the largest binary unit that leaves it whole.
func (b Bytes) String() string {
	for i := 2; i >= 0; i-- {
		if unit := byteUnits[i]; b > 0 && int64(b)%unit.size == 0 {
			return strconv.FormatInt(int64(b)/unit.size, 10) + unit.suffix
		}
	}
	return strconv.FormatInt(int64(b), 10)
}
