//go:build !race

package evidence

const raceDetector = false
