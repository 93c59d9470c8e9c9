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

// listen serves what is asked for over HTTP until stop is called: health and metrics on --http, profiles on --pprof.
func (s *service) listen(ctx context.Context) (stop func(), err error) {
	return startParts(ctx,
		part{s.config.HTTP != "", s.listenHealth},
		part{s.config.Pprof != "", s.listenPprof})
}

func (s *service) listenHealth(ctx context.Context) (stop func(), err error) {
	return s.serveHTTP(ctx, "--http", s.config.HTTP, s.handler(), "health and metrics")
}

// serveHTTP serves on the address, which the flag named, until stop is called. what is served is said in the log.
func (s *service) serveHTTP(ctx context.Context, flag, address string, handler http.Handler, what string) (stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w; choose another address", flag, address, err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error(what+" are served no more", "error", err)
		}
	}()
	s.log.Info("serving "+what, "address", listener.Addr().String())
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
