package main

import (
	"context"
	"net"
	"net/http"
	"net/http/pprof"
)

// listenPprof serves Go's profiles on --pprof until stop is called. They hold no value of a message, but they show how the
// process works inside and cost it time: an address without a host is this machine's own.
func (s *service) listenPprof(ctx context.Context) (stop func(), err error) {
	host, port, err := net.SplitHostPort(s.config.Pprof)
	if err != nil {
		return nil, err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return s.serveHTTP(ctx, "--pprof", net.JoinHostPort(host, port), mux, "profiles")
}
