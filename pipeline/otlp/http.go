package otlp

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
	wire "github.com/plumbline-dev/plumbline/schemas/adapter/otlp"
)

// Path is where exporters send traces (OTLP specification, "OTLP/HTTP Request").
const Path = "/v1/traces"

// ServeHTTP answers one export request: 200 when its spans are held or stored, with what of them was refused; 400, 413 and
// 415 for what no exporter should send again; 503 when the events could not be stored, to be sent again.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "traces are sent by POST", http.StatusMethodNotAllowed)
		return
	}
	encoding, ok := encodingOf(req.Header.Get("Content-Type"))
	if !ok {
		http.Error(w, "want application/x-protobuf or application/json", http.StatusUnsupportedMediaType)
		return
	}
	body, status, err := r.body(req)
	if err != nil {
		encoding.refuse(w, status, err.Error())
		return
	}
	spans, faults := encoding.decode(body)
	if len(spans) == 0 && len(faults) > 0 {
		encoding.refuse(w, http.StatusBadRequest, faults[0].Error())
		return
	}
	for _, f := range faults {
		r.config.Logger.Warn("a span cannot be read", "attribute", f.Field, "reason", f.Detail)
	}
	if err := r.take(req.Context(), spans); err != nil {
		r.config.Logger.Warn("events of traces wait to be stored", "error", err)
		w.Header().Set("Retry-After", "1")
		encoding.refuse(w, http.StatusServiceUnavailable, "the events could not be stored: send it again")
		return
	}
	encoding.accept(w, faults)
}

// body reads and unpacks what was sent.
func (r *Receiver) body(req *http.Request) (body []byte, status int, err error) {
	var in io.Reader = http.MaxBytesReader(nil, req.Body, int64(r.config.MaxBody))
	switch packed := req.Header.Get("Content-Encoding"); packed {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return nil, http.StatusBadRequest, fmt.Errorf("the body is not gzip: %w", err)
		}
		defer unpacked.Close() //nolint:errcheck // it was only read
		in = unpacked
	default:
		return nil, http.StatusUnsupportedMediaType, fmt.Errorf("Content-Encoding %s: want gzip or none", adapter.Quote(packed))
	}
	body, err = io.ReadAll(io.LimitReader(in, int64(r.config.MaxBody)+1))
	if _, large := errors.AsType[*http.MaxBytesError](err); large || len(body) > r.config.MaxBody {
		return nil, http.StatusRequestEntityTooLarge, fmt.Errorf("the body is larger than %d bytes: send smaller batches", r.config.MaxBody)
	}
	if err != nil {
		return nil, http.StatusBadRequest, fmt.Errorf("the body ends too early: %w", err)
	}
	return body, 0, nil
}

// encoding is one of the two that the protocol has.
type encoding struct {
	contentType string
	decode      func(body []byte) ([]genai.Span, []adapter.RowError)
	result      func(refused int, reason string) []byte // of ExportTraceServiceResponse
	status      func(reason string) []byte              // of google.rpc.Status
}

var (
	protobuf = encoding{
		"application/x-protobuf",
		func(body []byte) ([]genai.Span, []adapter.RowError) { return wire.DecodeProto(body, 0) },
		protoResult, protoStatus,
	}
	json = encoding{
		"application/json",
		func(body []byte) ([]genai.Span, []adapter.RowError) { return wire.DecodeJSON(body, 0) },
		jsonResult, jsonStatus,
	}
)

func encodingOf(contentType string) (encoding, bool) {
	media, _, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil:
		return encoding{}, false
	case media == protobuf.contentType || media == "application/protobuf":
		return protobuf, true
	case media == json.contentType:
		return json, true
	}
	return encoding{}, false
}

func (e encoding) refuse(w http.ResponseWriter, status int, reason string) {
	e.write(w, status, e.status(reason))
}

func (e encoding) accept(w http.ResponseWriter, faults []adapter.RowError) {
	reason := ""
	if len(faults) > 0 {
		reason = faults[0].Error()
	}
	e.write(w, http.StatusOK, e.result(len(faults), reason))
}

func (e encoding) write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", e.contentType)
	w.WriteHeader(status)
	w.Write(body) //nolint:errcheck // whoever asked is gone
}
