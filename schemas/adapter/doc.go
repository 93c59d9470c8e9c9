// Package adapter is the frame that readers of other runtimes' records stand in. It answers "which events does this
// record say, and what of it could not be seen?".
//
// A record is a file or a stream of rows: JSON values, one a line or spread over lines, or the elements of one array. A
// Reader turns the rows of one runtime into events of package core/event; package formats lists the readers there are.
// Lines count from 1, sizes are in bytes. Every value that an event keeps is a copy: numbers keep their digits.
//
// The rule that all readers follow: a shape that is not known is a RowError with its line, never an empty result; and what
// was not seen is said in the events themselves, so that it becomes a reason of the verdict and never an accusation.
package adapter
