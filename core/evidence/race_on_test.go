//go:build race

package evidence

// raceDetector tells that sync.Pool, which regexp keeps its machines in, forgets at random.
const raceDetector = true
