//go:build !linux

package main

import (
	"os"
	"syscall"
)

// What a process can be told. Elsewhere than on Linux a pause is a kill: the proof is then a weaker one.
var (
	terminate = os.Interrupt
	pause     = os.Kill
	goOn      = os.Interrupt
)

func attributes() *syscall.SysProcAttr { return nil }
