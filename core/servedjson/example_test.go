package servedjson_test

import (
	"fmt"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// A tool's two records come as one text, and the runtime writes a note under them.
func ExampleLeadingValues() {
	values, rest := servedjson.LeadingValues([]byte(`{"lun":17} {"lun":18}` + "\n[2 of 40 shown]"))
	for _, v := range values {
		fmt.Printf("%s\n", v.Raw())
	}
	fmt.Printf("then %q\n", rest)
	// Output:
	// {"lun":17}
	// {"lun":18}
	// then "[2 of 40 shown]"
}

// The number that the text ends in may go on, so it is no leaf; the last word may as well.
func ExampleReadPrefix() {
	number, _ := servedjson.ReadPrefix([]byte(`{"port":"fc2/9","speed":32.0,"errors":41`))
	fmt.Printf("%q\n", number.Leaves)
	words, _ := servedjson.ReadPrefix([]byte(`{"state":"link down since Tu`))
	fmt.Printf("%q, in words %q\n", words.Leaves, words.Words)
	_, ok := servedjson.ReadPrefix([]byte(`[WARN] link down`))
	fmt.Println(ok)
	// Output:
	// ["port" "fc2/9" "speed" "32" "errors"]
	// ["state"], in words "link down since"
	// false
}

// Every key and every leaf, as they stand in the text.
func ExampleWalk() {
	v, err := servedjson.Parse([]byte(`{"seat": "14C", "fare": {"usd": 120.50}, "meal": null}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	servedjson.Walk(v, func(leaf servedjson.Value, isKey bool) {
		fmt.Println(isKey, leaf.LeafText())
	})
	// Output:
	// true seat
	// false 14C
	// true fare
	// true usd
	// false 120.5
	// true meal
	// false null
}
