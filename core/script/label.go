package script

// The labels of how a submission went.
const (
	Succeeded = "succeeded" // exit code 0
	Failed    = "failed"    // an exit code that is not 0
	TimedOut  = "timed-out"
	Refused   = "refused"
	Unknown   = "unknown"
)

// LabelOf gives the label and exit code that a submission is recorded with, from what the runtime said of it; said is
// empty when it said nothing. That it was stopped or refused stands, and then an exit code says nothing of the program
// and is not kept. Otherwise the exit code decides, and without one the label is unknown. code shares nothing with exitCode.
func LabelOf(said string, exitCode *int) (label string, code *int) {
	switch {
	case said == TimedOut || said == Refused:
		return said, nil
	case exitCode == nil:
		return Unknown, nil
	case *exitCode == 0:
		return Succeeded, new(*exitCode)
	}
	return Failed, new(*exitCode)
}

// exitCodeFits tells whether a recorded label may carry the exit code: succeeded carries 0, failed another, the others
// none.
func exitCodeFits(label string, exitCode *int) bool {
	switch label {
	case Succeeded:
		return exitCode != nil && *exitCode == 0
	case Failed:
		return exitCode != nil && *exitCode != 0
	case TimedOut, Refused, Unknown:
		return exitCode == nil
	}
	return false
}
