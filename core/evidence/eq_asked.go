package evidence

import "bytes"

// What people leave away in front of a name, and put behind an id (the id-part rule). These are asked only: the index holds
// nothing for them.

// askedForms visits the further spellings that an id may have been read in.
func askedForms(id []byte, visit func(form []byte)) {
	if rest, ok := bytes.CutPrefix(id, []byte(".../")); ok && len(rest) > 0 {
		visit(rest) // the end of a path
	}
	if version, ok := archivedVersion(id); ok {
		visit(version)
	}
	if front, ok := withoutWord(id); ok {
		visit(front)
	}
	addressForms(id, visit)
}

// archives are what names of packages end in.
var archives = []string{".tar.gz", ".tgz", ".zip", ".whl", ".jar", ".gem", ".crate", ".nupkg"}

// archivedVersion gives the version in the name of a package: lodash-4.17.21.tgz is one of 4.17.21.
func archivedVersion(id []byte) (version []byte, ok bool) {
	for _, end := range archives {
		name, ok := bytes.CutSuffix(id, []byte(end))
		at := bytes.LastIndexByte(name, '-')
		if !ok || at < 1 {
			continue
		}
		version := name[at+1:]
		return version, digitsAndPoints(version) && bytes.Count(version, []byte{'.'}) >= 2
	}
	return nil, false
}

// relations are the words that people hang on an id: A1234-related.
var relations = map[string]bool{
	"related": true, "based": true, "like": true, "style": true, "specific": true, "only": true, "compatible": true, "type": true,
}

// withoutWord takes a relation off the end of an id.
func withoutWord(id []byte) (front []byte, ok bool) {
	at := bytes.LastIndexByte(id, '-')
	if at < minIdentifier || !relations[string(id[at+1:])] {
		return nil, false
	}
	return id[:at], countDigits(id[:at]) > 0
}
