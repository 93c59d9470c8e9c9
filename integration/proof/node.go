package main

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// node runs one NATS server until it is asked to stop.
type node struct {
	Config string `arg:"" help:"The server's configuration file."`
}

// Run returns once the server has shut down.
func (n *node) Run(ctx context.Context, holds *verdict) error {
	options, err := server.ProcessConfigFile(n.Config)
	if err != nil {
		return fmt.Errorf("server configuration: %w", err)
	}
	options.NoSigs = true
	s, err := server.NewServer(options)
	if err != nil {
		return fmt.Errorf("server of %s: %w", n.Config, err)
	}
	s.ConfigureLogger()
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		return fmt.Errorf("server of %s is not ready after a minute", n.Config)
	}
	<-ctx.Done()
	s.Shutdown()
	s.WaitForShutdown()
	*holds = true
	return nil
}
