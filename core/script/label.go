package script

// The labels of how a submission went.
const (
	Succeeded = "succeeded" // exit code 0
	Failed    = "failed"    // an exit code that is not 0
	TimedOut  = "timed-out"
	Refused   = "refused"
	Unknown   = "unknown"
)

// LabelOf gives the label and exit code that a submission is recorded with. An exit code decides; a label that it does
// not fit, or that is none of the vocabulary, is not kept.
func LabelOf(said string, exitCode *int) (label string, code *int) {
	switch {
	case exitCode != nil && *exitCode == 0:
		return Succeeded, exitCode
	case exitCode != nil:
		return Failed, exitCode
	case said == TimedOut || said == Refused:
		return said, nil
	}
	return Unknown, nil
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
