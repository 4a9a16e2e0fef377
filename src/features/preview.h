// Previews of links: tags for the head of the page, which programs that show links read, and the
// pictures they name.
#ifndef KRATON_FEATURES_PREVIEW_H
#define KRATON_FEATURES_PREVIEW_H

#include "rules/rules.h"
#include "server/api.h"

// Writes the tags of a page with that title and description. `image` is the path of the picture
// below /api/v1/preview/, its query included. Texts are escaped here.
void preview_write_tags(const api_call *c, const char *title, const char *description,
                        const char *image, writer *out);
// The path of the picture of a position given by its FEN.
void preview_write_position(const rules_game *rules, const char *fen, writer *out);

#endif
