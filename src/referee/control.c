#include "referee/control.h"

#include "base/suggest.h"

#include <inttypes.h>

enum { SECOND_US = 1000000, MAX_SECONDS = 1000000 };

// Reads seconds with up to six decimals.
static bool parse_seconds(text word, int64_t *us) {
    const char *point = word.len ? memchr(word.at, '.', word.len) : NULL;
    text whole = {word.at, point ? (size_t)(point - word.at) : word.len};
    text decimals = point ? text_skip(word, whole.len + 1) : (text){"0", 1};
    int64_t seconds = 0, fraction;
    if (decimals.len > 6 || (whole.len && !text_to_int(whole, 0, MAX_SECONDS, &seconds)) ||
        (!whole.len && !point) || !text_to_int(decimals, 0, SECOND_US - 1, &fraction) ||
        whole.at[0] == '-' || decimals.at[0] == '-')
        return false;
    for (size_t i = decimals.len; i < 6; i++)
        fraction *= 10;
    *us = seconds * SECOND_US + fraction;
    return true;
}

static text cut_before(text *rest, char separator, bool *found) {
    const char *at = rest->len ? memchr(rest->at, separator, rest->len) : NULL;
    text part = {rest->at, at ? (size_t)(at - rest->at) : rest->len};
    *found = at != NULL;
    *rest = text_skip(*rest, part.len + 1);
    return part;
}

// [MOVES/]BASE[+INCREMENT]
static bool parse_clock(text part, referee_control *c, fault *why) {
    text rest = part;
    int64_t moves = 0;
    bool has_moves = part.len && memchr(part.at, '/', part.len), has_increment;
    if (has_moves &&
        !text_to_int(cut_before(&rest, '/', &has_moves), 1, REFEREE_MAX_PERIOD, &moves))
        return fault_set(why, "time control: %s: the moves before '/' are 1 to %d",
                         fault_quote(part).shown, REFEREE_MAX_PERIOD);
    text base = cut_before(&rest, '+', &has_increment);
    if (!parse_seconds(base, &c->base_us) ||
        (has_increment && !parse_seconds(rest, &c->increment_us)))
        return fault_set(why,
                         "time control: %s is not [moves/]seconds[+seconds], st=, depth=, "
                         "nodes=, margin= or inf",
                         fault_quote(part).shown);
    if (c->base_us == 0)
        return fault_set(why, "time control: %s: the clock starts with no time",
                         fault_quote(part).shown);
    c->has_clock = true;
    c->moves = (int32_t)moves;
    return true;
}

bool referee_control_has(text name) {
    return text_is(name, "st") || text_is(name, "depth") || text_is(name, "nodes") ||
           text_is(name, "margin");
}

static bool parse_setting(text name, text value, referee_control *c, fault *why) {
    int64_t number;
    if (text_is(name, "st") || text_is(name, "margin")) {
        bool margin = text_is(name, "margin");
        if (!parse_seconds(value, &number) || (number == 0 && !margin))
            return fault_set(why, "time control: %s takes seconds, not %s",
                             margin ? "margin" : "st", fault_quote(value).shown);
        *(margin ? &c->margin_us : &c->move_time_us) = number;
        return true;
    }
    if (text_is(name, "depth")) {
        if (!text_to_int(value, 1, 1000, &number))
            return fault_set(why, "time control: depth takes 1 to 1000, not %s",
                             fault_quote(value).shown);
        c->depth = (int32_t)number;
        return true;
    }
    if (text_is(name, "nodes")) {
        if (!text_to_int(value, 1, INT64_MAX, &c->nodes))
            return fault_set(why, "time control: nodes takes a number from 1 on, not %s",
                             fault_quote(value).shown);
        return true;
    }
    suggestion near = suggest_for(name);
    static const char *const known[] = {"st", "depth", "nodes", "margin"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        suggest_offer(&near, known[i]);
    return fault_set(why, "time control: no setting %s (st, depth, nodes, margin)%s",
                     fault_quote(name).shown, suggest_hint(&near).shown);
}

bool referee_control_parse(text spec, referee_control *control, fault *why) {
    referee_control c = {0};
    bool more = true, inf = false;
    while (more) {
        text part = text_trim(cut_before(&spec, ',', &more));
        bool setting, again = c.has_clock || inf;
        text value = part, name = cut_before(&value, '=', &setting);
        if (setting) {
            if (!parse_setting(name, value, &c, why))
                return false;
            continue;
        }
        if (again)
            return fault_set(why, "time control: %s: a second clock", fault_quote(part).shown);
        inf = text_is(part, "inf");
        if (!inf && !parse_clock(part, &c, why))
            return false;
    }
    *control = c;
    return true;
}

static void write_seconds(writer *out, int64_t us) {
    write_format(out, "%" PRId64, us / SECOND_US);
    int64_t fraction = us % SECOND_US;
    if (fraction == 0)
        return;
    int digits = 6;
    for (; fraction % 10 == 0; fraction /= 10)
        digits--;
    write_format(out, ".%0*" PRId64, digits, fraction);
}

static void write_name(writer *out, size_t start, const char *name) {
    write_format(out, "%s%s=", out->used > start ? "," : "", name);
}

void referee_control_format(const referee_control *c, writer *out) {
    size_t start = out->used;
    if (c->has_clock) {
        if (c->moves)
            write_format(out, "%" PRId32 "/", c->moves);
        write_seconds(out, c->base_us);
        if (c->increment_us) {
            write_char(out, '+');
            write_seconds(out, c->increment_us);
        }
    }
    if (c->move_time_us) {
        write_name(out, start, "st");
        write_seconds(out, c->move_time_us);
    }
    if (c->depth) {
        write_name(out, start, "depth");
        write_format(out, "%" PRId32, c->depth);
    }
    if (c->nodes) {
        write_name(out, start, "nodes");
        write_format(out, "%" PRId64, c->nodes);
    }
    if (out->used == start)
        write_string(out, "inf");
    if (c->margin_us) {
        write_name(out, start, "margin");
        write_seconds(out, c->margin_us);
    }
}
