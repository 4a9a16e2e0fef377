// TLS 1.2 and later, with forward secrecy and authenticated encryption only, over memory: bytes
// from the socket go in, plain text comes out, and the other way round. No socket is touched here.
// A context is shared by all connections of a server.
#ifndef KRATON_NET_TLS_H
#define KRATON_NET_TLS_H

#include "base/bits.h"
#include "base/text.h"

typedef struct tls_context tls_context;
typedef struct tls tls;

// Reads the certificate chain and the key (PEM). NULL with the reason.
tls_context *tls_context_new(const char *certificate_file, const char *key_file, fault *why);
// The other end's: trusts the system's authorities, or those of a file.
tls_context *tls_context_new_client(const char *authorities_file, fault *why);
void tls_context_free(tls_context *c); // connections that use it live on

tls *tls_accept(tls_context *c); // NULL where memory is short
// Calls a host, whose certificate must bear that name or address. Its first words are in
// tls_cipher.
tls *tls_call(tls_context *c, const char *host);
void tls_free(tls *t);

// Bytes from the socket. False: the peer broke the protocol; what tls_cipher yields is still to be
// sent (the alert).
MUST_USE bool tls_feed(tls *t, text cipher);
// Takes plain text out; returns how many bytes, 0 when there are no more for now, -1 at the end.
int tls_plain(tls *t, char *bytes, size_t capacity);
// Plain text to be sent. False when memory is short. Before the handshake is over it is kept.
MUST_USE bool tls_write(tls *t, text plain);
// Takes bytes for the socket out; 0 when there are none.
int tls_cipher(tls *t, char *bytes, size_t capacity);
// Says goodbye, after all that was written.
void tls_close(tls *t);

#endif
