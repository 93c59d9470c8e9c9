// Package schemas is the wire between bytes and package core/event. It answers "which event do these bytes say?" and
// "which bytes say this verdict?", in two encodings: JSON (application/json) and MessagePack (application/msgpack). The
// same event sent either way is read as the same value, down to the bytes of every event.JSON in it.
//
// It also holds the JSON Schemas of the five events (Schema, Validate) and an example of each. README.md beside this
// file describes the events and the encodings for those who write producers.
//
// It holds no rule about what an event means, no subjects and no stream. Offsets and sizes are in bytes. The source of
// every rule is the contract of the events, version 1; where it is silent README.md says what was chosen.
package schemas
