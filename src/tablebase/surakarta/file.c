#include "tablebase/surakarta/file.h"

#include "base/minmax.h"
#include "os/file.h"

#include <xxhash.h>

static const char magic[8] = {'K', 'R', 'A', 'T', 'O', 'N', 'T', 'B'};

// Where the fields are.
enum {
    AT_VERSION = 8,
    AT_KIND,
    AT_RULES,
    AT_MOVERS,
    AT_OTHERS,
    AT_LONGEST_WIN,
    AT_LONGEST_LOSS,
    AT_LONGEST,
    AT_ENTRIES = 16,
    AT_WIN = 24,
    AT_DRAW = 32,
    AT_LOSS = 40,
    AT_BLOCKS = 48,
    AT_BYTES = 56,
    AT_DIRECTORY = 64,
    AT_BLOCK_BYTES = 72,
    AT_CHECKSUM = 120
};

void tb_put_64(uint8_t *bytes, uint64_t number) {
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

uint64_t tb_get_64(const uint8_t *bytes) {
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

uint64_t tb_checksum(const void *bytes, size_t count) { return XXH3_64bits(bytes, count); }

void tb_header_encode(const tb_header *h, uint8_t bytes[TB_HEADER_BYTES]) {
    memset(bytes, 0, TB_HEADER_BYTES);
    memcpy(bytes, magic, sizeof magic);
    bytes[AT_VERSION] = TB_FILE_VERSION;
    bytes[AT_KIND] = (uint8_t)h->kind;
    bytes[AT_RULES] = (uint8_t)h->rules;
    bytes[AT_MOVERS] = (uint8_t)h->movers;
    bytes[AT_OTHERS] = (uint8_t)h->others;
    bytes[AT_LONGEST_WIN] = (uint8_t)h->tally.longest_win;
    bytes[AT_LONGEST_LOSS] = (uint8_t)h->tally.longest_loss;
    bytes[AT_LONGEST] = (uint8_t)h->longest;
    tb_put_64(bytes + AT_ENTRIES, h->entries);
    tb_put_64(bytes + AT_WIN, h->tally.win);
    tb_put_64(bytes + AT_DRAW, h->tally.draw);
    tb_put_64(bytes + AT_LOSS, h->tally.loss);
    tb_put_64(bytes + AT_BLOCKS, h->blocks);
    tb_put_64(bytes + AT_BYTES, h->bytes);
    tb_put_64(bytes + AT_DIRECTORY, h->directory);
    tb_put_64(bytes + AT_BLOCK_BYTES, h->kind == TB_PACKED ? TB_PACKED_BYTES : 0);
    tb_put_64(bytes + AT_CHECKSUM, tb_checksum(bytes, AT_CHECKSUM));
}

bool tb_header_decode(tb_header *h, const uint8_t bytes[TB_HEADER_BYTES], const char **why) {
    *why = memcmp(bytes, magic, sizeof magic) != 0 ? "is no endgame table"
           : bytes[AT_VERSION] != TB_FILE_VERSION  ? "is of another version"
           : tb_get_64(bytes + AT_CHECKSUM) != tb_checksum(bytes, AT_CHECKSUM)
               ? "is damaged: its header"
           : bytes[AT_KIND] == TB_PACKED && tb_get_64(bytes + AT_BLOCK_BYTES) != TB_PACKED_BYTES
               ? "is of another version"
               : NULL;
    if (*why)
        return false;
    *h = (tb_header){.kind = (tb_kind)bytes[AT_KIND],
                     .rules = (tb_rules)bytes[AT_RULES],
                     .movers = bytes[AT_MOVERS],
                     .others = bytes[AT_OTHERS],
                     .entries = tb_get_64(bytes + AT_ENTRIES),
                     .tally = {.win = tb_get_64(bytes + AT_WIN),
                               .draw = tb_get_64(bytes + AT_DRAW),
                               .loss = tb_get_64(bytes + AT_LOSS),
                               .longest_win = bytes[AT_LONGEST_WIN],
                               .longest_loss = bytes[AT_LONGEST_LOSS]},
                     .longest = bytes[AT_LONGEST],
                     .blocks = tb_get_64(bytes + AT_BLOCKS),
                     .bytes = tb_get_64(bytes + AT_BYTES),
                     .directory = tb_get_64(bytes + AT_DIRECTORY)};
    return true;
}

// --- names --------------------------------------------------------------------------------------

static const char *const endings[] = {
    [TB_VALUES] = ".values", [TB_DISTANCES] = ".distances", [TB_PACKED] = ".packed"};

void tb_file_name(char name[TB_NAME_SIZE], tb_kind kind, tb_rules rules, int movers, int others) {
    writer w = writer_on(name, TB_NAME_SIZE);
    write_format(&w, "%s-%dv%d%s", tb_rules_name(rules), movers, others, endings[kind]);
}

bool tb_file_path(char path[TB_PATH_SIZE], const char *dir, tb_kind kind, tb_rules rules,
                  int movers, int others) {
    char name[TB_NAME_SIZE];
    writer w = writer_on(path, TB_PATH_SIZE);
    tb_file_name(name, kind, rules, movers, others);
    write_format(&w, "%s/%s", dir, name);
    return !w.overflow;
}

static text cut_at(text *rest, const char *mark) {
    text head = {rest->at, text_find(*rest, mark)};
    *rest = text_skip(*rest, head.len + 1);
    return head;
}

bool tb_file_parse_name(text name, tb_kind *kind, tb_rules *rules, int *movers, int *others) {
    text convention = cut_at(&name, "-"), first = cut_at(&name, "v");
    size_t dot = text_find(name, ".");
    text second = {name.at, dot}, ending = text_skip(name, dot);
    int64_t a, b;
    if (!tb_rules_find(convention, rules) || !text_to_int(first, 1, TB_MAX_PIECES - 1, &a) ||
        !text_to_int(second, 1, TB_MAX_PIECES - a, &b))
        return false;
    *movers = (int)a;
    *others = (int)b;
    *kind = TB_VALUES;
    while (*kind < TB_PACKED && !text_is(ending, endings[*kind]))
        (*kind)++;
    return text_is(ending, endings[*kind]);
}

typedef struct {
    tb_rules rules;
    int most;
} pieces_search;

static bool on_name(void *context, const char *name) {
    pieces_search *search = context;
    tb_kind kind;
    tb_rules rules;
    int a, b;
    if (tb_file_parse_name(text_of(name), &kind, &rules, &a, &b) && rules == search->rules)
        search->most = max_int(search->most, a + b);
    return true;
}

bool tb_file_most_pieces(const char *dir, tb_rules rules, int *most) {
    pieces_search search = {.rules = rules};
    bool fine = os_folder_list(dir, on_name, &search);
    *most = search.most;
    return fine;
}

tb_amount tb_amount_of(uint64_t bytes) {
    tb_amount a;
    writer w = writer_on(a.shown, sizeof a.shown);
    if (bytes < 1000000)
        write_format(&w, "%.0f kB", (double)bytes / 1e3);
    else if (bytes < 1000000000)
        write_format(&w, "%.0f MB", (double)bytes / 1e6);
    else
        write_format(&w, "%.1f GB", (double)bytes / 1e9);
    return a;
}
