// Package script answers one question: is a fenced code block of an answer, byte for byte, a program that a call of the
// turn submitted?
//
// It reads the blocks the way CommonMark 0.31 does (scanner.go), compares them (match.go), and reads a recorded verdict
// back (record.go). The line ending in front of a closing fence is the fence's: a program matches with or without it. A
// match says that the program shown is the program submitted; it says nothing about what the program did, and it grounds
// no value. Offsets and lengths are in bytes of UTF-8. The rules are those of readers.md, "Script match".
package script
