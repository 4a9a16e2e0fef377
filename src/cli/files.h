// Whole files in and out. Input has a stated maximum; output appears complete or not at all.
#ifndef KRATON_CLI_FILES_H
#define KRATON_CLI_FILES_H

#include "base/bits.h"
#include "base/text.h"

#include <stdio.h>

enum { FILE_MAX_BYTES = 64 << 20 }; // read from a file or from standard input

// The name of a file in messages: "standard input" for "-".
const char *file_label(const char *path);

// Reads all of a file, or of standard input for "-". The bytes are the caller's to free().
MUST_USE bool file_read(const char *path, text *bytes, fault *why);

// Writes a file under a temporary name beside it and renames it when it is complete.
MUST_USE bool file_write(const char *path, text bytes, fault *why);

// Reads a line without its line end. False at the end of the input or after a signal. A line that
// is too long or contains a zero byte is cut there and marked as noise.
bool file_read_line(FILE *from, char *line, size_t size, bool *noise);

// The first line of a file, trimmed, such as a token; `line` holds it. NULL: there is none.
const char *read_secret(const char *file, char *line, size_t size);

// Whether files can be made in a folder. One that is not there yet is good: it can be made.
MUST_USE bool folder_takes_files(const char *path, fault *why);

// --- the files behind a path --------------------------------------------------------------------

// One file, all files in a folder, the folders and the archives in it, or all files in an archive
// (zip, tar, tar.gz). They come one after the other, in the order of their names. Links to folders
// inside a folder are not followed, nor are archives opened that lie in an archive.
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
