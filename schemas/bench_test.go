package schemas_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/schemas"
)

// tenKB is a tool_end of ten kilobytes with a result of objects, as a search for flights gives.
func tenKB() []byte {
	var rows []string
	for i := range 40 {
		rows = append(rows, fmt.Sprintf(`{"flight_number": "HAT%03d", "origin": "JFK", "destination": "SEA", "scheduled_departure_time_est": "%02d:00:00", `+
			`"status": "available", "available_seats": {"economy": %d, "business": 3}, "prices": {"economy": %d.50, "business": 239}}`, i, i%24, i, 100+i))
	}
	return []byte(tool(`,"time":"2026-01-05T09:00:07.700Z","result":[` + strings.Join(rows, ", ") + `]`))
}

// BenchmarkDecode decodes the same event three ways; the last is how it is commonly done, and leaves the result unread.
func BenchmarkDecode(b *testing.B) {
	data := tenKB()
	e, err := schemas.Decode("", data)
	if err != nil {
		b.Fatal(err)
	}
	pack, err := schemas.EncodeEvent(schemas.Msgpack, e)
	if err != nil {
		b.Fatal(err)
	}
	for _, way := range []struct {
		name, contentType string
		data              []byte
	}{{"json", schemas.JSON, data}, {"msgpack", schemas.Msgpack, pack}} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(len(way.data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := schemas.Decode(way.contentType, way.data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var into struct {
				V                                     int
				Type, ID, Time, Tenant, Agent, Status string
				Conversation                          string
				Turn                                  int
				Call                                  struct {
					ID, Tool  string
					Iteration int
					Args      json.RawMessage
				}
				Result json.RawMessage
			}
			if err := json.Unmarshal(data, &into); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncodeEvidence(b *testing.B) {
	v := verdict()
	for _, contentType := range []string{schemas.JSON, schemas.Msgpack} {
		b.Run(strings.TrimPrefix(contentType, "application/"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := schemas.EncodeEvidence(contentType, v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
