// The headings of contest records: players, date, place and the result in words; and the names of
// their files, which say the same.
#include "base/encoding.h"
#include "records/surakarta/contest.h"

const char *const contest_results[4] = {"未决胜", "先手胜", "后手胜", "平局"};

// --- results in words ---------------------------------------------------------------------------

// Cuts the first of the words that the text starts with off it.
static bool cut_any(text *rest, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (text_starts(*rest, words[i])) {
            *rest = text_skip(*rest, strlen(words[i]));
            return true;
        }
    return false;
}

#define CUT_ANY(rest, words) cut_any(rest, words, sizeof(words) / sizeof((words)[0]))

// Whether the text says won or lost at once, as in 胜出, 获胜 and 超时负.
static bool says_won(text rest, bool *has_won) {
    static const char *const between[] = {" ",    ":",    "：",   "方",   "队",   "获", "取", "得",
                                          "中盘", "超时", "犯规", "违例", "被判", "判", "认", "告"};
    static const char *const won[] = {"胜", "赢"}, *const lost[] = {"负", "输"};
    while (CUT_ANY(&rest, between))
        ;
    *has_won = CUT_ANY(&rest, won);
    return *has_won || CUT_ANY(&rest, lost);
}

// Whether the words start with the player's whole name and go on with won or lost.
static bool names_player(text words, const char *name, bool *has_won) {
    return name[0] && text_starts(words, name) && says_won(text_skip(words, strlen(name)), has_won);
}

// What stands before won or lost.
static text subject_of(text words, bool *has_won) {
    text rest = words;
    while (rest.len && !says_won(rest, has_won)) {
        int n = utf8_length(rest);
        rest = text_skip(rest, n ? (size_t)n : 1);
    }
    return (text){words.at, words.len - rest.len};
}

// Which side words such as 先手 or 黑方 mean, 0 or 1; -1: it is none of them. The second player has
// R, or White. A side says more than a colour: 先手红方 is the first player in any colours.
static int side_of(text who, bool *is_by_colour) {
    static const char *const first[] = {"先"}, *const second[] = {"后"}, *const black[] = {"黑"},
                             *const white[] = {"白", "红"}, *const other[] = {"手", "方", "棋",
                                                                              "子", "(",  ")",
                                                                              "（", "）", " "};
    bool said[4] = {false};
    while (who.len) {
        if (CUT_ANY(&who, first))
            said[0] = true;
        else if (CUT_ANY(&who, second))
            said[1] = true;
        else if (CUT_ANY(&who, black))
            said[2] = true;
        else if (CUT_ANY(&who, white))
            said[3] = true;
        else if (!CUT_ANY(&who, other))
            return -1;
    }
    *is_by_colour = !said[0] && !said[1];
    const bool *pair = *is_by_colour ? said + 2 : said;
    return pair[0] == pair[1] ? -1 : pair[1];
}

// How well a name begins with its short form: A1 is A1 甲 rather than A11.
static int likeness(const char *name, text shorter) {
    text whole = text_of(name);
    if (!shorter.len || shorter.len > whole.len || memcmp(name, shorter.at, shorter.len) != 0)
        return 0;
    text rest = text_skip(whole, shorter.len);
    return rest.len && record_is_tag_char(rest.at[0]) ? 1 : 2;
}

static bool says_draw(text words) {
    static const char *const draws[] = {"平局", "和局", "和棋", "平手",     "言和",
                                        "战平", "打平", "战和", "不分胜负", "平分秋色"};
    bool found = text_is(words, "平") || text_is(words, "和");
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++)
        found |= text_find(words, draws[i]) < words.len;
    return found;
}

// Teams are named as they like, after colours or after peace (和平队): whole names are compared
// before anything is read into words.
rules_outcome contest_result_of(const record *r, text words, contest_said *said) {
    static const rules_outcome wins[] = {RULES_FIRST_WINS, RULES_SECOND_WINS};
    said->is_by_colour = false;
    said->unknown.line[0] = '\0';
    words = text_trim(words);
    for (size_t i = 0; i < sizeof contest_results / sizeof contest_results[0]; i++)
        if (text_is(words, contest_results[i]))
            return (rules_outcome)i;
    bool won[2], has_won = false;
    bool named[] = {names_player(words, r->first, &won[0]),
                    names_player(words, r->second, &won[1])};
    if (named[0] && named[1] && strlen(r->first) != strlen(r->second))
        named[strlen(r->first) > strlen(r->second)] = false;
    if (named[0] != named[1])
        return wins[won[named[1]] ? named[1] : named[0]];
    text who = subject_of(words, &has_won);
    bool is_said = who.len < words.len;
    int side = is_said ? side_of(who, &said->is_by_colour) : -1;
    int like[] = {likeness(r->first, who), likeness(r->second, who)};
    if (side < 0 && is_said && like[0] != like[1])
        side = like[1] > like[0];
    if (side >= 0)
        return wins[has_won ? side : 1 - side];
    if (says_draw(words))
        return RULES_DRAW;
    if (words.len && !text_starts(words, "未") && !text_is(words, "*"))
        fault_set(&said->unknown, "the result %s is not understood", fault_quote(words).shown);
    return RULES_ONGOING;
}

// --- headings -----------------------------------------------------------------------------------

// Cuts off what stands before the next bar.
static text next_part(text *rest) {
    const char *bar = rest->len ? memchr(rest->at, '|', rest->len) : NULL;
    text part = {rest->at, bar ? (size_t)(bar - rest->at) : rest->len};
    *rest = text_skip(*rest, part.len + 1);
    return text_trim(part);
}

// The name behind a label such as 先手方, with either kind of colon.
static text name_behind(text part, const char *label) {
    part = text_skip(part, strlen(label));
    if (text_starts(part, "："))
        part = text_skip(part, strlen("："));
    else if (text_starts(part, ":"))
        part = text_skip(part, 1);
    return text_trim(part);
}

// Keeps words that are no heading.
static void add_note(contest_said *said, text words) {
    if (words.len) {
        buffer_add(&said->notes, words);
        buffer_char(&said->notes, '\n');
    }
}

bool contest_keep_notes(record *r, contest_said *said) {
    bool good = !said->notes.failed && record_add_comment(r, 0, buffer_text(&said->notes));
    buffer_free(&said->notes);
    return good;
}

void contest_read_heading(text line, record *r, contest_said *said) {
    if (!text_starts(line, "先手方")) {
        if (r->date[0] || r->site[0]) {
            add_note(said, line);
            return;
        }
        record_read_field(r, "Date", r->date, sizeof r->date, next_part(&line));
        record_read_field(r, "Site", r->site, sizeof r->site, next_part(&line));
        add_note(said, line);
        return;
    }
    record_read_field(r, rules_side_name(r->game, 0), r->first, sizeof r->first,
                      name_behind(next_part(&line), "先手方"));
    text second = next_part(&line);
    if (text_starts(second, "后手方"))
        second = name_behind(second, "后手方");
    record_read_field(r, rules_side_name(r->game, 1), r->second, sizeof r->second, second);
    r->result = contest_result_of(r, line, said);
}

// --- the file's name ----------------------------------------------------------------------------

// 2026-11-15 14:05, 2026.11.15, 2026-8-4-9:5 ... as 202611151405; what is missing is 0.
static void write_stamp(text date, writer *out) {
    static const int widths[] = {4, 2, 2, 2, 2};
    for (int field = 0; field < 5; field++) {
        while (date.len && (date.at[0] < '0' || date.at[0] > '9'))
            date = text_skip(date, 1);
        int value = 0;
        for (int n = 0; n < widths[field] && date.len && date.at[0] >= '0' && date.at[0] <= '9';
             n++) {
            value = value * 10 + date.at[0] - '0';
            date = text_skip(date, 1);
        }
        write_format(out, "%0*d", widths[field], value);
    }
}

// A name as part of a file name.
static void write_part(const char *name, writer *out) {
    for (const char *c = name; *c; c++)
        write_char(out, *c == '/' || *c == '\\' ? '_' : *c);
}

void contest_write_name(const record *r, writer *out) {
    write_string(out, "SU-");
    write_part(r->first[0] ? r->first : "先手", out);
    write_string(out, " vs ");
    write_part(r->second[0] ? r->second : "后手", out);
    write_format(out, "-%s-", contest_results[r->result]);
    write_stamp(text_of(r->date), out);
    write_string(out, ".txt");
}

// Cuts off what stands behind the last hyphen.
static text last_part(text *name) {
    size_t at = name->len;
    while (at && name->at[at - 1] != '-')
        at--;
    text part = text_skip(*name, at);
    name->len = at ? at - 1 : 0;
    return part;
}

// A player's name; 先手 and 后手 stand for one that nobody knew.
static void read_name(char *field, size_t size, text name) {
    if (!field[0] && !text_is(name, "先手") && !text_is(name, "后手"))
        record_set_field(field, size, name);
}

// 202611151405 as 2026-11-15 14:05; zeros stand for what nobody knew.
static void read_stamp(record *r, text stamp) {
    writer w = writer_on(r->date, sizeof r->date);
    bool is_usual = stamp.len == 12 && strspn(stamp.at, "0123456789") >= stamp.len;
    if (!is_usual)
        record_set_field(r->date, sizeof r->date, stamp);
    if (!is_usual || text_starts(stamp, "0000"))
        return;
    write_format(&w, "%.4s-%.2s-%.2s", stamp.at, stamp.at + 4, stamp.at + 6);
    if (!text_is(text_skip(stamp, 8), "0000"))
        write_format(&w, " %.2s:%.2s", stamp.at + 8, stamp.at + 10);
}

bool contest_read_name(record *r, text name) {
    const char *slash = NULL;
    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] == '/')
            slash = name.at + i;
    if (slash)
        name = text_skip(name, (size_t)(slash - name.at) + 1);
    size_t ends = strlen("SU-") + strlen(".txt");
    if (name.len < ends || !text_starts(name, "SU-") ||
        !text_is(text_skip(name, name.len - 4), ".txt"))
        return false;
    name = (text){name.at + strlen("SU-"), name.len - ends};
    text date = last_part(&name), result = last_part(&name);
    size_t versus = text_find(name, " vs ");
    if (versus == name.len)
        return false;
    read_name(r->first, sizeof r->first, (text){name.at, versus});
    read_name(r->second, sizeof r->second, text_skip(name, versus + 4));
    if (!r->date[0])
        read_stamp(r, date);
    contest_said said = {0};
    if (r->result == RULES_ONGOING)
        r->result = contest_result_of(r, result, &said);
    return true;
}
