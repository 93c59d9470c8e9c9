package main

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// parquetRow is one verdict or declaration as a row: what one asks for first in columns, and all of it as JSON.
type parquetRow struct {
	Type         string   `parquet:"type,dict"`
	Seq          uint64   `parquet:"seq"` // of the answer, or of the call's last report
	Tenant       string   `parquet:"tenant,dict"`
	Agent        string   `parquet:"agent,dict"`
	Conversation string   `parquet:"conversation"`
	Turn         int64    `parquet:"turn"`
	Iteration    int64    `parquet:"iteration"`
	Outcome      string   `parquet:"outcome,dict"` // of a verdict, as the next seven
	Action       string   `parquet:"action,dict"`
	Reasons      []string `parquet:"reasons,list"`
	Candidates   int64    `parquet:"candidates"`
	LookedUp     int64    `parquet:"looked_up"`
	Unsupported  []string `parquet:"unsupported,list"` // the values that are listed
	Omitted      int64    `parquet:"unsupported_omitted"`
	Through      uint64   `parquet:"through"`
	Call         string   `parquet:"call"` // of a declaration, as the next three
	Tool         string   `parquet:"tool,dict"`
	Declared     string   `parquet:"declared,dict"`
	Emptiness    string   `parquet:"emptiness,dict"`
	Ruleset      string   `parquet:"ruleset,dict"`
	Policy       string   `parquet:"policy,dict"`
	Engine       string   `parquet:"engine,dict"`
	Payload      string   `parquet:"payload,zstd"`
}

// rowsInGroup bounds the rows that are held until they are written.
const rowsInGroup = 10_000

// parquetRows writes rows to a file, which can be read once it is closed.
type parquetRows struct {
	w    *parquet.GenericWriter[parquetRow]
	held int
}

func newParquetRows(w io.Writer) *parquetRows {
	return &parquetRows{w: parquet.NewGenericWriter[parquetRow](w, parquet.Compression(&parquet.Zstd))}
}

func (r *parquetRows) add(out replay.Output, payload []byte) error {
	if _, err := r.w.Write([]parquetRow{rowOf(out, payload)}); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if r.held++; r.held < rowsInGroup {
		return nil
	}
	r.held = 0
	if err := r.w.Flush(); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

func (r *parquetRows) close() error {
	if err := r.w.Close(); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

func rowOf(out replay.Output, payload []byte) parquetRow {
	row := parquetRow{Seq: out.Seq, Payload: string(payload)}
	if v := out.Evidence; v != nil {
		row.Outcome, row.Action, row.Through = string(v.Outcome), string(v.Action), v.Through
		row.Candidates, row.LookedUp, row.Omitted = int64(v.Candidates), int64(v.LookedUp), int64(v.UnsupportedOmitted)
		for _, reason := range v.Reasons {
			row.Reasons = append(row.Reasons, string(reason))
		}
		for _, u := range v.Unsupported {
			row.Unsupported = append(row.Unsupported, u.Value)
		}
	}
	if c := out.Coverage; c != nil {
		row.Call, row.Tool, row.Declared, row.Emptiness = c.Call, c.Tool, c.Declared, c.Emptiness
	}
	common, basis := out.About()
	row.Type, row.Tenant, row.Agent, row.Conversation = string(common.Type), common.Tenant, common.Agent, common.Conversation
	row.Turn, row.Iteration = int64(common.Turn), int64(common.Iteration)
	row.Ruleset, row.Policy, row.Engine = basis.Ruleset, basis.Policy, basis.Engine
	return row
}
