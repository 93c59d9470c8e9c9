package cli

import (
	"errors"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// Access is how a program shows a NATS server who it is, as flags; a program embeds it beside its own --nats-url.
type Access struct {
	Creds   string `placeholder:"FILE" help:"Credentials: a user JWT and its seed."`
	Nkey    string `placeholder:"FILE" help:"NKey seed."`
	TLSCert string `rare:"" name:"tls-cert" placeholder:"FILE" help:"Client certificate, with --tls-key."`
	TLSKey  string `rare:"" name:"tls-key" placeholder:"FILE" help:"Key of the client certificate."`
	TLSCA   string `name:"tls-ca" placeholder:"FILE" help:"Certificates that the server's must be signed by."`
}

// Given names the first of the flags that is set, empty when none is.
func (a Access) Given() string {
	for _, flag := range []struct{ name, value string }{
		{"--creds", a.Creds}, {"--nkey", a.Nkey}, {"--tls-cert", a.TLSCert}, {"--tls-key", a.TLSKey}, {"--tls-ca", a.TLSCA},
	} {
		if flag.value != "" {
			return flag.name
		}
	}
	return ""
}

// Check refuses flags that exclude or miss one another. Whether the files hold what they should is seen on connecting.
func (a Access) Check() error {
	switch {
	case a.Creds != "" && a.Nkey != "":
		return errors.New("--creds and --nkey are both given: choose one")
	case (a.TLSCert == "") != (a.TLSKey == ""):
		return errors.New("--tls-cert and --tls-key belong together: give both or none")
	}
	return nil
}

// NATS is the configuration that the flags ask for. role is what the program does, in the server's monitoring and in the
// subjects that it is answered on: see jet.Config.Inbox.
func (a Access) NATS(role string, urls []string) jet.Config {
	return jet.Config{
		URLs: urls, Creds: a.Creds, NKey: a.Nkey, Cert: a.TLSCert, Key: a.TLSKey, CA: a.TLSCA,
		Name: "plumbline-" + role, Inbox: "_INBOX.plumbline-" + role,
	}
}
