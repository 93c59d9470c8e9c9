package schemas

// Transcode writes any JSON as MessagePack, for tests that send what no event holds.
func Transcode(text []byte) ([]byte, error) { return appendPack(nil, text) }
