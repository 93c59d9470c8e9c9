package main

import (
	"testing"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli/clitest"
)

func TestManners(t *testing.T) { clitest.Manners(t, program, run, &flags{}) }
