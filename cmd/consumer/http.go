package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// listen serves health and metrics on --http until stop is called.
func (s *service) listen(ctx context.Context) (stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", s.config.HTTP)
	if err != nil {
		return nil, fmt.Errorf("--http %s: %w; choose another address", s.config.HTTP, err)
	}
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("health and metrics are served no more", "error", err)
		}
	}()
	s.log.Info("serving health and metrics", "address", listener.Addr().String())
	return func() {
		server.Close() //nolint:errcheck // nothing is left to be told
		<-ended
	}, nil
}

// handler answers /livez while the process runs, /readyz while events would be judged, and /metrics.
func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if reason := s.state.notReady(); reason != "" {
			answer(w, http.StatusServiceUnavailable, reason)
			return
		}
		answer(w, http.StatusOK, "ok")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	return mux
}

func answer(w http.ResponseWriter, status int, said string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, said+"\n") //nolint:errcheck // whoever asked is gone
}
