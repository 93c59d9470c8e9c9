package keyring

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

// The kinds of PEM blocks that are written.
const (
	pemCertificate = "CERTIFICATE"
	pemKey         = "PRIVATE KEY"
)

// authorityYears is how long the authority's own certificate holds.
const authorityYears = 10

// certificates makes the authority when there is none, and what it signs: one certificate for the servers, which is also
// shown between them, and one for the clients. Who a client is, its key says, not the certificate.
func (m *maker) certificates() error {
	ca, err := m.pair("ca", nil, &x509.Certificate{
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotAfter: m.Now.AddDate(authorityYears, 0, 0),
	})
	if err != nil {
		return err
	}
	both := []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	server := &x509.Certificate{ExtKeyUsage: both, NotAfter: m.Now.Add(m.Valid)}
	for _, host := range m.Hosts {
		if ip := net.ParseIP(host); ip != nil {
			server.IPAddresses = append(server.IPAddresses, ip)
		} else {
			server.DNSNames = append(server.DNSNames, host)
		}
	}
	client := &x509.Certificate{ExtKeyUsage: both[1:], NotAfter: m.Now.Add(m.Valid)}
	for _, signed := range []struct {
		name     string
		template *x509.Certificate
	}{{"server", server}, {"client", client}} {
		pair, err := m.pair(signed.name, ca, signed.template)
		if err != nil {
			return err
		}
		if m.ring.Until.IsZero() || pair.Leaf.NotAfter.Before(m.ring.Until) {
			m.ring.Until = pair.Leaf.NotAfter
		}
	}
	m.ring.CA, m.ring.ServerCert, m.ring.ServerKey = m.path("ca.pem"), m.path("server.pem"), m.path("server.key")
	m.ring.ClientCert, m.ring.ClientKey = m.path("client.pem"), m.path("client.key")
	return nil
}

// pair reads a certificate and its key, or has them made when they are missing or to be renewed. ca is nil for the
// authority itself, which is never renewed: all that it signed would end with it.
func (m *maker) pair(name string, ca *tls.Certificate, template *x509.Certificate) (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(m.path(name+".pem"), m.path(name+".key"))
	switch {
	case errors.Is(err, os.ErrNotExist) || err == nil && ca != nil && m.Renew:
		return m.issue(name, ca, template)
	case err != nil:
		return nil, fmt.Errorf("%s and %s: %w; remove both, and new ones are made", m.path(name+".pem"), m.path(name+".key"), err)
	case ca != nil && pair.Leaf.CheckSignatureFrom(ca.Leaf) != nil:
		return nil, fmt.Errorf("%s is not signed by %s: renew it", m.path(name+".pem"), m.path("ca.pem"))
	}
	return &pair, nil
}

// issue makes a key and a certificate of it and writes both, the key first: a key without a certificate is made anew.
func (m *maker) issue(name string, ca *tls.Certificate, c *x509.Certificate) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	c.Subject, c.NotBefore = pkix.Name{CommonName: "plumbline " + name}, m.Now.Add(-time.Hour)
	parent, signer := c, any(key)
	if ca != nil {
		parent, signer = ca.Leaf, ca.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: pemKey, Bytes: secret})
	certPEM := pem.EncodeToMemory(&pem.Block{Type: pemCertificate, Bytes: der})
	if err := m.write(name+".key", keyPEM); err != nil {
		return nil, err
	}
	if err := m.write(name+".pem", certPEM); err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	return &pair, err
}
