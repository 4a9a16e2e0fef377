// In the place of libzstd, in programs for browsers. Their endgame tables are made and read in
// memory (os/wasi/file.c) and never leave it, so blocks are stored as they are.
#ifndef KRATON_OS_WASI_ZSTD_H
#define KRATON_OS_WASI_ZSTD_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char nothing;
} ZSTD_CCtx;
typedef ZSTD_CCtx ZSTD_DCtx;

enum { ZSTD_c_compressionLevel };
#define ZSTD_COMPRESSBOUND(size) (size)

static inline size_t ZSTD_compressBound(size_t size) { return size; }

static inline ZSTD_CCtx *ZSTD_createCCtx(void) { return calloc(1, sizeof(ZSTD_CCtx)); }
static inline size_t ZSTD_freeCCtx(ZSTD_CCtx *context) {
    free(context);
    return 0;
}
static inline ZSTD_DCtx *ZSTD_createDCtx(void) { return ZSTD_createCCtx(); }
static inline size_t ZSTD_freeDCtx(ZSTD_DCtx *context) { return ZSTD_freeCCtx(context); }

static inline size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *context, int parameter, int value) {
    (void)context;
    (void)parameter;
    (void)value;
    return 0;
}

static inline unsigned ZSTD_isError(size_t code) { return code == (size_t)-1; }
static inline const char *ZSTD_getErrorName(size_t code) {
    return ZSTD_isError(code) ? "the block is too large" : "no error";
}

static inline size_t ZSTD_decompress(void *to, size_t room, const void *from, size_t size) {
    if (size > room)
        return (size_t)-1;
    memcpy(to, from, size);
    return size;
}
static inline size_t ZSTD_decompressDCtx(ZSTD_DCtx *context, void *to, size_t room,
                                         const void *from, size_t size) {
    (void)context;
    return ZSTD_decompress(to, room, from, size);
}
static inline size_t ZSTD_compress2(ZSTD_CCtx *context, void *to, size_t room, const void *from,
                                    size_t size) {
    return ZSTD_decompressDCtx(context, to, room, from, size);
}
static inline size_t ZSTD_compress(void *to, size_t room, const void *from, size_t size,
                                   int level) {
    (void)level;
    return ZSTD_decompress(to, room, from, size);
}
static inline size_t ZSTD_compressCCtx(ZSTD_CCtx *context, void *to, size_t room, const void *from,
                                       size_t size, int level) {
    (void)level;
    return ZSTD_compress2(context, to, room, from, size);
}

#endif
