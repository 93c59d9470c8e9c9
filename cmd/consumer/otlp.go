package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/otlp"
)

// takeTraces serves --otlp until stop is called, which publishes what is held.
func (s *service) takeTraces(ctx context.Context) (stop func(), err error) {
	js, err := jetstream.New(s.nc) // its own, for its own window of acknowledgements
	if err != nil {
		return nil, err
	}
	receiver, err := otlp.New(otlp.Config{
		Publisher: jet.NewEvents(js, s.layout.Subjects), Logger: s.log, MaxEvent: int(s.nc.MaxPayload()) - headerRoom,
	})
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", s.config.OTLP)
	if err != nil {
		return nil, fmt.Errorf("--otlp %s: %w; choose another address", s.config.OTLP, err)
	}
	mux := http.NewServeMux()
	mux.Handle(otlp.Path, receiver)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute}
	holding, give := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{}, 2)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("traces are taken in no more", "error", err)
		}
		ended <- struct{}{}
	}()
	go func() {
		if err := receiver.Run(holding); err != nil {
			s.log.Error("events of traces were not stored", "error", err)
		}
		ended <- struct{}{}
	}()
	s.log.Info("taking traces in", "address", listener.Addr().String(), "path", otlp.Path)
	return func() {
		s.endTraces(server)
		give()
		<-ended
		<-ended
	}, nil
}

// headerRoom is what the headers of a message may take of the largest payload, in bytes.
const headerRoom = 16 << 10

// endTraces answers the requests that are there, for as long as a stop may take.
func (s *service) endTraces(server *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), s.config.DrainTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		s.log.Warn("requests with traces were cut off: their exporters send them again", "error", err)
		server.Close() //nolint:errcheck // nothing is left to be told
	}
}
