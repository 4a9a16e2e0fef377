// Files that are part of the program: CMake's kraton_embed_all makes a table of them.
#ifndef KRATON_BASE_EMBEDDED_H
#define KRATON_BASE_EMBEDDED_H

#include "base/text.h"

typedef struct {
    const char *name; // the file's, without folder and ending; NULL ends a table
    const unsigned char *bytes;
    const size_t *size;
} embedded_file;

// The bytes of the file of that name; empty where there is none.
static inline text embedded_find(const embedded_file *table, const char *name) {
    for (; table->name; table++)
        if (strcmp(table->name, name) == 0)
            return (text){(const char *)table->bytes, *table->size};
    return (text){"", 0};
}

#endif
