// The files behind a path: one file, all files in a folder and the folders in it, or all files in
// an archive (zip, tar, tar.gz). They come one after the other, in the order of their names.
#ifndef KRATON_CLI_COLLECTION_H
#define KRATON_CLI_COLLECTION_H

#include "base/bits.h"
#include "base/text.h"

typedef struct collection collection;

// Opens what is at a path, "-" for standard input. NULL with the reason. An archive is read whole;
// the files of a folder are read when their turn comes.
collection *collection_open(const char *path, fault *why);
void collection_close(collection *c);

// Whether there may be more than one file.
bool collection_is_many(const collection *c);
// How many files there are, and how many were read so far.
size_t collection_count(const collection *c);
size_t collection_done(const collection *c);

// Reads the next file. Its name, with the folder or archive before it, and its bytes are good until
// the next call. False at the end, or with the reason where a file cannot be read: then the call
// after it goes on behind that file.
bool collection_next(collection *c, const char **name, text *bytes, fault *why);

#endif
