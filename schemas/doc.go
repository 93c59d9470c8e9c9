// Package schemas is the wire: which bytes are which event. It holds the JSON Schemas of the v1 events, and the codec
// between bytes and core/event for JSON and MessagePack, both ways.
//
// Both encodings decode through one reading: MessagePack is written over as JSON text first, so that the same event
// gives the same bytes of every JSON value in it, whichever way it came. Numbers keep their digits. Offsets are in bytes
// of the message.
package schemas
