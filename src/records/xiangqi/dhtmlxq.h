// What reading and writing DhtmlXQ share.
#ifndef KRATON_RECORDS_XIANGQI_DHTMLXQ_H
#define KRATON_RECORDS_XIANGQI_DHTMLXQ_H

#include "records/format.h"

enum { DHTMLXQ_TAGS = 11 };

// Fields that become tags of another name. All others but those of the game itself keep theirs.
typedef struct {
    const char *field, *tag;
} dhtmlxq_tag;
extern const dhtmlxq_tag dhtmlxq_tags[DHTMLXQ_TAGS];

// Whether a field of that name is one of the game itself: board, moves, comments, players.
bool dhtmlxq_is_own(text name);

// Reads the words of a comment: || is a line end.
void dhtmlxq_read_words(text raw, buffer *words);
// Whether the words of a comment come back as they are.
bool dhtmlxq_keeps(text words);

bool dhtmlxq_write(const record *r, rules_notation notation, buffer *out, fault *why);

#endif
