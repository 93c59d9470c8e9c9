// Package servedjson reads the JSON that a served tool result opens with, or was cut inside, when the whole text need
// not be one JSON value. It answers "which JSON stands here, and where does it end?".
//
// It is the grammar that every reader of results stands on: checked spans of bytes (Value), read without a tree and
// without copies. It holds no rule about evidence, coverage or emptiness. Offsets are in bytes.
//
// There is a way in for each kind of text: Parse for one whole value, LeadingValues for the values that a text opens
// with, VisitPrefix (and ReadPrefix, which collects) for text cut short, Scanner for an index, which wants to know of
// each token what its bytes are like. Walk and a Value's methods read what was checked.
//
// What JSON is, here, is what ECMAScript's JSON.parse takes: any repeated keys, escapes of lone surrogates, numbers of
// any size. Bytes that are not valid UTF-8 may stand in strings and read as U+FFFD, as does a lone surrogate. One thing
// is stricter: nesting past MaxDepth is refused.
package servedjson
