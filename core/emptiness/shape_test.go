package emptiness

import "testing"

var shapes = Context{Shapes: true}

func TestShapes(t *testing.T) {
	shapesAt := Context{Shapes: true, RowsAt: "rows", HasRowsAt: true}
	structured := func(v string) string { return `{"content":[],"structuredContent":` + v + `,"isError":false}` }
	check(t, []route{
		{"empty text", `""`, shapes, "undeclared-empty, by shape"},
		{"white space", `" \n"`, shapes, "undeclared-empty, by shape"},
		{"text", `"ok"`, shapes, "unknown"},
		{"empty text in a boundary", boundary(`""`), shapes, "declared-absent, by shape, bounded"},
		{"empty text, absent by the door", `""`, Context{Shapes: true, Door: &Door{Absent: true}}, "declared-absent"},
		{"no block", `{"content":[]}`, shapes, "undeclared-empty, by shape"},
		{"no block, by literal-1", `{"content":[]}`, Context{}, "unknown, shape undeclared"},
		{"no block and an error", `{"content":[],"isError":true}`, shapes, "unknown, shape undeclared"},
		{"no block and more to come", `{"content":[],"resultType":"input_required"}`, shapes, "unknown, shape undeclared"},
		{"no block and complete", `{"content":[],"resultType":"complete","_meta":{}}`, shapes, "undeclared-empty, by shape"},
		{"a block", `{"content":[{"type":"text","text":"x"}]}`, shapes, "unknown, shape undeclared"},
		{"an app's own content", `{"content":[],"page":1}`, shapes, "unknown, shape undeclared"},
		{"content of no blocks", `{"content":[1],"structuredContent":{"a":1}}`, shapes, "unknown, shape undeclared"},
		{"content that the app declared", `{"content":[]}`, Context{Shapes: true, RowsAt: "content", HasRowsAt: true}, "undeclared-empty, 0 rows at content by app, asked at content"},
		{"structured null", structured(`null`), shapes, "undeclared-empty, by shape"},
		{"structured zero", structured(`0`), shapes, "non-empty, by shape"},
		{"structured false", structured(`false`), shapes, "non-empty, by shape"},
		{"structured text", structured(`"x"`), shapes, "non-empty, by shape"},
		{"structured blank", structured(`""`), shapes, "undeclared-empty, by shape"},
		{"structured list", structured(`[1]`), shapes, "non-empty, 1 rows at structuredContent by shape"},
		{"structured empty list", structured(`[]`), shapes, "undeclared-empty, 0 rows at structuredContent by shape"},
		{"structured object", structured(`{"id":20117}`), shapes, "non-empty, by shape"},
		{"structured status words", structured(`{"status":200,"message":"Success"}`), shapes, "unknown, shape undeclared"},
		{"structured empty object", structured(`{}`), shapes, "unknown, shape undeclared"},
		{"structured rows", structured(`{"rows":[]}`), shapesAt, "undeclared-empty, 0 rows at structuredContent.rows by shape, asked at rows"},
		{"structured without the rows", structured(`{"id":1}`), shapesAt, "unknown, asked at rows, no-list"},
		{"structured absence", structured(absence), shapes, "declared-absent, by shape"},
		{"structured boundary", structured(boundary(`[]`)), shapes, "declared-absent, 0 rows at structuredContent.result by shape, bounded"},
		{"structured, in structured", structured(structured(`[]`)), shapes, "non-empty, by shape"},
		{"structured and blocks", `{"content":[{"type":"text","text":"[]"}],"structuredContent":[]}`, shapes, "undeclared-empty, 0 rows at structuredContent by shape"},
		{"only status words", `{"status":200,"message":"Success","duration":0}`, shapes, "unknown, shape undeclared"},
		{"left out for size", `{"preservedFields":{},"summary":{"omitted":true,"keyCount":4}}`, shapes, "unknown, shape undeclared"},
	})
}

func TestCut(t *testing.T) {
	shapesAt := Context{Shapes: true, RowsAt: "rows", HasRowsAt: true}
	check(t, []route{
		{"rows cut off, nested", `{"row_count":2000,"data":{"rows_truncated":2000,"rows":[[1],[2]]}}`, shapes, "unknown, by shape, shape undeclared, cut by rows_truncated"},
		{"none cut off", `{"rows":[1],"rows_truncated":0}`, shapesAt, "non-empty, 1 rows at rows by app, asked at rows"},
		{"truncated", `{"rows":[1],"truncated":true}`, shapesAt, "non-empty, 1 rows at rows by app, asked at rows, cut by truncated"},
		{"not truncated", `{"rows":[1],"truncated":false}`, shapesAt, "non-empty, 1 rows at rows by app, asked at rows"},
		{"truncated, as a word", `{"rows":[1],"truncated":"no"}`, shapesAt, "non-empty, 1 rows at rows by app, asked at rows"},
		{"more", `{"rows":[],"has_more":true}`, shapesAt, "undeclared-empty, 0 rows at rows by app, asked at rows, cut by has_more"},
		{"a cursor", `{"rows":[1],"page":{"nextCursor":"abc"}}`, shapesAt, "non-empty, 1 rows at rows by app, asked at rows, cut by nextCursor"},
		{"no cursor", `{"rows":[1],"next_cursor":null,"nextPageToken":""}`, shapesAt, "non-empty, 1 rows at rows by app, asked at rows"},
		{"what a row says is its own", `{"rows":[{"truncated":true}]}`, shapesAt, "non-empty, 1 rows at rows by app, asked at rows"},
		{"in a boundary", boundary(`{"rows":[1],"has_more":true}`), shapesAt, "non-empty, 1 rows at result.rows by app, asked at rows, bounded, cut by has_more"},
		{"by literal-1", `{"rows":[1],"has_more":true}`, rowsAt, "non-empty, 1 rows at rows by app, asked at rows"},
	})
}
