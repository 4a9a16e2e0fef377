// The page's files, read into memory when the server starts and given out from there, in brotli
// (FILE.br beside FILE) or gzip to whoever takes it: no path of a request ever reaches the disk.
#ifndef KRATON_SERVER_PAGES_H
#define KRATON_SERVER_PAGES_H

#include "server/api.h"

enum { PAGES_MOST = 512, PAGES_BYTES = 16 << 20 };

// Reads all files below the folder; none where there is no such folder or it is NULL. Returns NULL,
// with the reason, where they are too many or too large.
pages *pages_new(const char *folder, fault *why);
void pages_free(pages *p);
// Answers with the file of that path (also below /v/VERSION/, to be kept for good), or with
// /index.html for a place of the page's own (/game/7: no dot, and neither the API's nor /metrics);
// where there is no /index.html, a line of text says that the server has no page. false: there is
// no such file.
bool pages_answer(const pages *p, api_call *c);

#endif
