#include "features/preview.h"

#include "features/features.h"
#include "features/game_record.h"
#include "features/picture.h"
#include "features/position.h"
#include "server/background.h"

#include <stdlib.h>

enum { TEXT_SIZE = 256, PATH_SIZE = 1024, FIELD_SIZE = 512 };

// --- tags ---------------------------------------------------------------------------------------

static void write_escaped(writer *out, const char *words) {
    for (; *words; words++)
        switch (*words) {
        case '&':
            write_string(out, "&amp;");
            break;
        case '<':
            write_string(out, "&lt;");
            break;
        case '>':
            write_string(out, "&gt;");
            break;
        case '"':
            write_string(out, "&quot;");
            break;
        default:
            write_char(out, *words);
        }
}

// The address of this server as the asker has it; nothing where that is no plain name.
static void write_origin(const api_call *c, writer *out) {
    text host = http_header_of(c->request, "host");
    for (size_t i = 0; i < host.len; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]",
                    host.at[i]))
            return;
    bool is_secure = c->http && connection_is_secure(c->http->connection);
    if (host.len > 0 && host.len < FIELD_SIZE)
        write_format(out, "http%s://%.*s", is_secure ? "s" : "", (int)host.len, host.at);
}

static void write_tag(writer *out, const char *name, const char *content) {
    write_format(out, "<meta property=\"%s\" content=\"", name);
    write_escaped(out, content);
    write_string(out, "\">\n");
}

void preview_write_tags(const api_call *c, const char *title, const char *description,
                        const char *image, writer *out) {
    char address[PATH_SIZE + FIELD_SIZE], number[16];
    writer w = writer_on(address, sizeof address), n = writer_on(number, sizeof number);
    write_origin(c, &w);
    write_format(&w, "/api/v1/preview/%s", image);
    write_tag(out, "og:site_name", "Kraton");
    write_tag(out, "og:type", "website");
    write_tag(out, "og:title", title);
    write_tag(out, "og:description", description);
    write_tag(out, "og:image", address);
    write_number(&n, PICTURE_WIDTH);
    write_tag(out, "og:image:width", number);
    n = writer_on(number, sizeof number);
    write_number(&n, PICTURE_HEIGHT);
    write_tag(out, "og:image:height", number);
    write_string(out, "<meta name=\"twitter:card\" content=\"summary_large_image\">\n");
}

// Characters of positions and moves that need no escape in a query; blanks become +.
static bool write_plain(writer *out, const char *words) {
    for (; *words; words++) {
        char c = *words == '_' || *words == ',' ? ' ' : *words;
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '/' || c == '-' || c == ' ';
        if (!is_plain)
            return false;
        write_char(out, c == ' ' ? '+' : c);
    }
    return true;
}

void preview_write_position(const rules_game *rules, const char *fen, writer *out) {
    write_format(out, "%s?fen=", rules_name(rules));
    (void)write_plain(out, fen);
}

// /game/N and /study/game/N
static bool write_game(api_call *c, int64_t id, writer *out) {
    char title[TEXT_SIZE], words[TEXT_SIZE], image[PATH_SIZE];
    writer t = writer_on(title, sizeof title), w = writer_on(words, sizeof words),
           i = writer_on(image, sizeof image);
    game_copy copy;
    if (!game_copy_get(c->server, id, &copy))
        return false;
    const rules_game *rules = rules_find(text_of(copy.row.game));
    const char *side[2] = {rules_side_name(rules, 0), rules_side_name(rules, 1)};
    write_format(&t, "%s – %s", copy.names[0], copy.names[1]);
    write_format(&w, "%s, %d moves. ", rules_properties_of(rules)->title, (copy.count + 1) / 2);
    if (!copy.row.ended)
        write_string(&w, "Under way.");
    else if (copy.row.outcome == RULES_DRAW)
        write_format(&w, "Draw: %s.", copy.row.reason);
    else
        write_format(&w, "%s wins: %s.", side[copy.row.outcome == RULES_SECOND_WINS],
                     copy.row.reason);
    write_format(&i, "game/%lld", (long long)id);
    game_copy_free(&copy);
    preview_write_tags(c, title, words, image, out);
    return true;
}

// /study/GAME with its position in the query
static bool write_study(api_call *c, const rules_game *rules, writer *out) {
    char image[PATH_SIZE], title[TEXT_SIZE];
    writer w = writer_on(image, sizeof image), t = writer_on(title, sizeof title);
    const char *mark = "?";
    write_string(&w, rules_name(rules));
    for (int i = 0; i < 2; i++) {
        static const char *const names[2] = {"fen", "moves"};
        char value[FIELD_SIZE];
        writer v = writer_on(value, sizeof value);
        if (!http_query_of(c->request, names[i], &v))
            continue;
        write_format(&w, "%s%s=", mark, names[i]);
        mark = "&";
        if (!write_plain(&w, value))
            return false;
    }
    write_format(&t, "%s: a position to study", rules_properties_of(rules)->title);
    preview_write_tags(c, title, "Play it on, or let the engine look at it.", image, out);
    return true;
}

static bool write_head(api_call *c, writer *out) {
    text path = c->request->path;
    int64_t id;
    for (int i = 0; i < 2; i++) {
        const char *prefix = i ? "/study/game/" : "/game/";
        if (text_starts(path, prefix))
            return text_to_int(text_skip(path, strlen(prefix)), 1, INT64_MAX, &id) &&
                   write_game(c, id, out);
    }
    const rules_game *rules =
        text_starts(path, "/study/") ? rules_find(text_skip(path, strlen("/study/"))) : NULL;
    if (rules)
        return write_study(c, rules, out);
    if (!text_is(path, "/"))
        return false;
    char words[TEXT_SIZE];
    writer w = writer_on(words, sizeof words);
    write_string(&w, "Play, watch and study");
    for (int i = 0; rules_nth(i); i++)
        write_format(&w, "%s %s", i ? " and" : "", rules_properties_of(rules_nth(i))->title);
    preview_write_tags(c, "Kraton", words, rules_name(rules_default_game()), out);
    return true;
}

// --- pictures -----------------------------------------------------------------------------------

// A picture takes some milliseconds: a job of the thread pool draws it.
typedef struct {
    background_job job;
    api_call *call;
    rules_state *state; // its own
    const char *cache;
    buffer out;
    bool is_drawn;
} drawing;

static void draw(background_job *job) {
    drawing *d = (drawing *)job;
    uint32_t ply = rules_ply(d->state);
    d->is_drawn =
        picture_draw(d->state, ply ? rules_move_at(d->state, ply - 1) : MOVE_NONE, &d->out);
}

static void send_drawn(background_job *job) {
    drawing *d = (drawing *)job;
    if (d->is_drawn)
        api_send(d->call, 200, "image/png", d->cache, buffer_text(&d->out));
    else
        api_refuse(d->call, 503, "busy", "out of memory");
    buffer_free(&d->out);
    free(d->state);
    free(d);
}

// Takes the state.
static void send_picture(api_call *c, rules_state *s, const char *cache) {
    drawing *d = calloc(1, sizeof *d);
    api_call *kept = d ? api_keep(c) : NULL;
    if (kept) {
        *d = (drawing){.job = {.queue = BACKGROUND_PICTURES,
                               .visitor = address_key(c->http->connection->address),
                               .run = draw,
                               .after = send_drawn},
                       .call = kept,
                       .state = s,
                       .cache = cache};
        if (background_start(c->server, &d->job))
            return;
        api_refuse(kept, 503, "busy", "too many pictures are asked for; try again in a moment");
    } else if (!d) {
        api_refuse(c, 503, "busy", "out of memory");
    }
    free(d);
    free(s);
}

static void get_position(api_call *c) {
    const rules_game *rules = position_game(c);
    rules_state *s = rules ? position_read(c, rules, NULL) : NULL;
    if (s)
        send_picture(c, s, "Cache-Control: public, max-age=86400\r\n");
}

static void get_game(api_call *c) {
    game_copy copy;
    if (c->numbers[0] < 1 || !game_copy_get(c->server, c->numbers[0], &copy)) {
        api_refuse(c, 404, "game", "there is no such game");
        return;
    }
    const rules_game *rules = rules_find(text_of(copy.row.game));
    rules_set set = rules_default_set(rules);
    uint32_t plies = (uint32_t)copy.count;
    void *memory = malloc(rules_state_size(plies ? plies : 1));
    fault why;
    rules_state *s = memory ? rules_state_new(memory, rules, &set, plies ? plies : 1) : NULL;
    bool good = s && (!copy.row.fen[0] || rules_set_fen(s, text_of(copy.row.fen), &why));
    for (int i = 0; good && i < copy.count; i++) {
        rules_move move;
        good = rules_parse_move(s, text_of(copy.moves[i].move), &move, &why) &&
               rules_play(s, move, &why);
    }
    if (good)
        send_picture(c, s,
                     copy.row.ended ? "Cache-Control: public, max-age=86400\r\n"
                                    : "Cache-Control: public, max-age=30\r\n");
    else
        api_refuse(c, 503, "busy", "this game cannot be drawn now");
    if (!good)
        free(memory);
    game_copy_free(&copy);
}

static const api_route routes[] = {
    {"GET", "/api/v1/preview/game/*", get_game, false},
    {"GET", "/api/v1/preview/*", get_position, false},
    {.pattern = NULL},
};

const feature preview_feature = {.name = "preview", .routes = routes, .write_head = write_head};
