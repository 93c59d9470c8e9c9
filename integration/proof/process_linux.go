package main

import "syscall"

// What a process can be told.
const (
	terminate = syscall.SIGTERM
	pause     = syscall.SIGSTOP
	goOn      = syscall.SIGCONT
)

// attributes make a process end with this one, also when this one is killed.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
