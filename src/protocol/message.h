// Messages between server and clients. A message is a verb with named fields. Programs get it as a
// line,
//     turn game=7 ply=4 first=59120000 second=60000000
// pages as a JSON object,
//     {"t":"turn","game":7,"ply":4,"first":59120000,"second":60000000}
// docs/protocol.md is the list of them. In a line a blank in a value is %20, a per cent sign %25,
// an empty value is nothing; lists are joined by commas; flags are yes and no.
//
// A message belongs to the function that builds it, most often on its stack:
//     message m = {.verb = "turn"};
//     message_number(&m, "game", 7);
//     session_send(s, &m); // to any number of sessions; each spelling is made once
//     message_free(&m);
// A request is a message a client has sent. It owns nothing: its slices live as long as the line
// and the request itself.
#ifndef KRATON_PROTOCOL_MESSAGE_H
#define KRATON_PROTOCOL_MESSAGE_H

#include "base/buffer.h"

typedef enum { FIELD_TEXT, FIELD_NUMBER, FIELD_FLAG, FIELD_LIST } field_kind;

enum { MESSAGE_FIELDS = 40, REQUEST_FIELDS = 24, REQUEST_SPACE = 8192 };

typedef struct {
    const char *key; // static text
    field_kind kind;
    size_t at, len; // of its value, unspelt; a list's items are separated by blanks
    int64_t number;
} message_field;

typedef struct {
    const char *verb;
    int count;
    message_field fields[MESSAGE_FIELDS];
    buffer raw, line, json;
} message;

void message_free(message *m);
// Keys, like the verb, are static text.
void message_text(message *m, const char *key, text value); // UTF-8 without line ends
void message_string(message *m, const char *key, const char *value);
void message_number(message *m, const char *key, int64_t value);
void message_flag(message *m, const char *key, bool value);
void message_list(message *m, const char *key);  // begins a list
void message_item(message *m, const char *word); // adds a word (no blanks) to the list just begun
void message_words(message *m, const char *key, text words); // a list, all of it
text message_as_line(message *m);                            // with its LF
text message_as_json(message *m);

typedef struct {
    text verb;
    int count;
    struct {
        text key, value;
    } fields[REQUEST_FIELDS];
    size_t used;
    char space[REQUEST_SPACE]; // decoded values
} request;

MUST_USE bool request_read_line(request *r, text line, fault *why);
// The verb is the field "t", which may be missing where the caller knows it.
MUST_USE bool request_read_json(request *r, text object, fault *why);
// The value of a field; empty where there is none.
text request_text(const request *r, const char *key);
bool request_has(const request *r, const char *key);
// A number within [low, high]; `otherwise` where there is none. False, with the reason, where it is
// something else.
MUST_USE bool request_number(const request *r, const char *key, int64_t low, int64_t high,
                             int64_t otherwise, int64_t *value, fault *why);
// yes, no, true, false, 1, 0.
MUST_USE bool request_flag(const request *r, const char *key, bool otherwise, bool *value,
                           fault *why);

// --- lines --------------------------------------------------------------------------------------

// Cuts incoming bytes into lines of bounded length. Holds memory only while a line is unfinished.

// The longest lines, their ends not counted: a client's, and a server's, which may hold a whole
// game.
enum { LINES_MAX = 4096, LINES_SERVER_MAX = 32768 };

typedef struct {
    buffer held; // the beginning of an unfinished line
    size_t most; // 0: LINES_MAX
} lines;

typedef enum { LINES_ONE, LINES_NONE, LINES_TOO_LONG } lines_status;

// Takes the next whole line out of what is held and *bytes, without LF or CR LF. LINES_NONE: all
// bytes are taken, the rest is held. The line is valid until the next call. No calls after
// LINES_TOO_LONG.
lines_status lines_next(lines *l, text *bytes, text *line);
void lines_free(lines *l);

#endif
