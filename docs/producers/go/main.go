// Command go publishes one turn of a conversation for Plumbline: what the person said, what a tool gave, what the agent
// answered. It is an example: copy what you need of it.
//
//	NATS_URL=nats://127.0.0.1:4222 go run ./docs/producers/go
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, cmp.Or(os.Getenv("NATS_URL"), nats.DefaultURL), os.Stdout)
	stop()
	if err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url string, out io.Writer) error {
	nc, err := nats.Connect(url, nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true))
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	// The events of a conversation are published one after the other: their order is the order of the stream.
	for _, e := range turn() {
		ack, err := publish(ctx, js, e)
		if err != nil {
			return fmt.Errorf("publish %s: %w", e.ID, err)
		}
		fmt.Fprintf(out, "stored in %s at %d\n", ack.Stream, ack.Sequence)
	}
	return nil // every event was waited for, so nothing is left to flush
}

// turn is what an agent's runtime knows of one turn.
func turn() []event.Event {
	user := "What does my order cost?"
	about := func(id string) event.Event {
		return event.Event{
			ID: "go.1/1/" + id, Time: time.Now().UTC().Format(time.RFC3339Nano), Turn: 1,
			Conversation: event.Conversation{Tenant: "acme", Agent: "order desk", ID: "go.1"},
		}
	}
	start, end, answer := about("start"), about("call_1"), about("answer")
	start.TurnStart = &event.TurnStart{User: &user}
	end.ToolEnd = &event.ToolEnd{
		Call:   event.Call{ID: "call_1", Tool: "orders", Iteration: 1, Args: event.JSON(`{"customer":"ann"}`)},
		Result: event.JSON(`{"order":44170,"total":20.5}`),
	}
	answer.Answer = &event.Answer{Iteration: 2, Text: "Order 44170 costs 20.50, reference 88123.", Calls: []string{"call_1"}}
	return []event.Event{start, end, answer}
}

// publish tries until the server has said that the event is stored, or for five minutes. The id lets the server drop what
// it has already.
func publish(ctx context.Context, js jetstream.JetStream, e event.Event) (*jetstream.PubAck, error) {
	data, err := schemas.EncodeEvent(schemas.JSON, e)
	if err != nil {
		return nil, err
	}
	m := nats.NewMsg(event.Subjects{}.Event(e.Conversation))
	m.Data = data
	m.Header.Set("Content-Type", schemas.JSON)
	pace := backoff.NewExponentialBackOff(backoff.WithMaxInterval(5*time.Second), backoff.WithMaxElapsedTime(5*time.Minute))
	return backoff.RetryWithData(func() (*jetstream.PubAck, error) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		ack, err := js.PublishMsg(ctx, m, jetstream.WithMsgID(e.ID))
		if lasting(err) {
			err = backoff.Permanent(err)
		}
		return ack, err
	}, backoff.WithContext(pace, ctx))
}

// lasting tells whether another try would end the same way. What is not said by the server as an error of the request,
// such as no answer or no leader, passes.
func lasting(err error) bool {
	if refusal, ok := errors.AsType[*jetstream.APIError](err); ok {
		return refusal.Code >= 400 && refusal.Code < 500
	}
	return errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, nats.ErrPermissionViolation) || errors.Is(err, nats.ErrConnectionClosed)
}
