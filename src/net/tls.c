#include "net/tls.h"

#include "base/buffer.h"
#include "base/minmax.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

struct tls_context {
    SSL_CTX *ssl;
};

struct tls {
    SSL *ssl;
    BIO *in, *out;  // the SSL's
    buffer waiting; // plain text from before the end of the handshake
    bool failed;
};

static bool say_why(fault *why, const char *what, const char *file) {
    char reason[160];
    ERR_error_string_n(ERR_peek_last_error(), reason, sizeof reason);
    ERR_clear_error();
    return fault_set(why, "%s %s: %s", what, file, reason);
}

// Forward secrecy and authenticated encryption only. TLS 1.3 has nothing else.
static void limit_suites(SSL_CTX *ssl) {
    SSL_CTX_set_min_proto_version(ssl, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(ssl, "ECDHE+AESGCM:ECDHE+CHACHA20");
}

tls_context *tls_context_new(const char *certificate_file, const char *key_file, fault *why) {
    tls_context *c = calloc(1, sizeof *c);
    if (!c || !(c->ssl = SSL_CTX_new(TLS_server_method()))) {
        free(c);
        fault_set(why, "out of memory");
        return NULL;
    }
    limit_suites(c->ssl);
    SSL_CTX_set_mode(c->ssl, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE);
    SSL_CTX_set_options(c->ssl, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    bool good = true;
    if (SSL_CTX_use_certificate_chain_file(c->ssl, certificate_file) != 1)
        good = say_why(why, "cannot use the certificate", certificate_file);
    else if (SSL_CTX_use_PrivateKey_file(c->ssl, key_file, SSL_FILETYPE_PEM) != 1 ||
             SSL_CTX_check_private_key(c->ssl) != 1)
        good = say_why(why, "cannot use the key", key_file);
    if (good)
        return c;
    tls_context_free(c);
    return NULL;
}

void tls_context_free(tls_context *c) {
    if (!c)
        return;
    SSL_CTX_free(c->ssl);
    free(c);
}

// Whether a call that did not succeed only wants more bytes.
static bool is_patient(tls *t, int result) {
    int error = SSL_get_error(t->ssl, result);
    ERR_clear_error();
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

static tls *new_tls(tls_context *c) {
    tls *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->ssl = SSL_new(c->ssl);
    t->in = BIO_new(BIO_s_mem());
    t->out = BIO_new(BIO_s_mem());
    if (!t->ssl || !t->in || !t->out) {
        SSL_free(t->ssl);
        BIO_free(t->in);
        BIO_free(t->out);
        free(t);
        return NULL;
    }
    SSL_set_bio(t->ssl, t->in, t->out);
    return t;
}

tls *tls_accept(tls_context *c) {
    tls *t = new_tls(c);
    if (t)
        SSL_set_accept_state(t->ssl);
    return t;
}

tls_context *tls_context_new_client(const char *authorities_file, fault *why) {
    tls_context *c = calloc(1, sizeof *c);
    if (!c || !(c->ssl = SSL_CTX_new(TLS_client_method()))) {
        free(c);
        fault_set(why, "out of memory");
        return NULL;
    }
    limit_suites(c->ssl);
    SSL_CTX_set_verify(c->ssl, SSL_VERIFY_PEER, NULL);
    int loaded = authorities_file ? SSL_CTX_load_verify_locations(c->ssl, authorities_file, NULL)
                                  : SSL_CTX_set_default_verify_paths(c->ssl);
    if (loaded == 1)
        return c;
    say_why(why, "cannot use the authorities in",
            authorities_file ? authorities_file : "the system");
    tls_context_free(c);
    return NULL;
}

tls *tls_call(tls_context *c, const char *host) {
    tls *t = new_tls(c);
    if (!t)
        return NULL;
    X509_VERIFY_PARAM *names = SSL_get0_param(t->ssl);
    if (X509_VERIFY_PARAM_set1_ip_asc(names, host) != 1) {
        ERR_clear_error();
        SSL_set1_host(t->ssl, host);
        SSL_set_tlsext_host_name(t->ssl, host);
    }
    SSL_set_connect_state(t->ssl);
    t->failed = SSL_do_handshake(t->ssl) != 1 && !is_patient(t, -1);
    return t;
}

void tls_free(tls *t) {
    if (!t)
        return;
    SSL_free(t->ssl);
    buffer_free(&t->waiting);
    free(t);
}

static bool write_now(tls *t, text plain) {
    while (plain.len) {
        int wrote = SSL_write(t->ssl, plain.at, (int)min_size(plain.len, 16384));
        if (wrote <= 0) {
            ERR_clear_error();
            return false;
        }
        plain = text_skip(plain, (size_t)wrote);
    }
    return true;
}

bool tls_feed(tls *t, text cipher) {
    if (t->failed || BIO_write(t->in, cipher.at, (int)cipher.len) != (int)cipher.len)
        return false;
    if (SSL_is_init_finished(t->ssl))
        return true;
    int result = SSL_do_handshake(t->ssl);
    if (result != 1) {
        t->failed = !is_patient(t, result);
        return !t->failed;
    }
    bool good = write_now(t, buffer_text(&t->waiting));
    buffer_free(&t->waiting);
    return good;
}

int tls_plain(tls *t, char *bytes, size_t capacity) {
    if (t->failed || !SSL_is_init_finished(t->ssl))
        return 0;
    int got = SSL_read(t->ssl, bytes, (int)capacity);
    if (got > 0)
        return got;
    return is_patient(t, got) ? 0 : -1;
}

bool tls_write(tls *t, text plain) {
    if (t->failed || plain.len == 0)
        return true;
    if (SSL_is_init_finished(t->ssl))
        return write_now(t, plain);
    buffer_add(&t->waiting, plain);
    return !t->waiting.failed;
}

int tls_cipher(tls *t, char *bytes, size_t capacity) {
    int got = BIO_read(t->out, bytes, (int)capacity);
    return max_int(got, 0);
}

void tls_close(tls *t) {
    if (!t->failed && SSL_is_init_finished(t->ssl) && SSL_shutdown(t->ssl) < 0)
        ERR_clear_error();
}
