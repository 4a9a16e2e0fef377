// kraton rate: ratings of all players from the results of their games.
#include "base/buffer.h"
#include "base/encoding.h"
#include "base/minmax.h"
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/results.h"
#include "os/file.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_ELO = 100000,
    MOST_PAIRED = 2000 // two million lines
};

typedef struct {
    const char *average, *first_move, *prior, *min_games, *out;
    option_list anchors, ignored;
    bool pairs, csv, json, overwrite;
} rate_options;

// A player's own games, from its point of view.
typedef struct {
    int64_t wins, draws, losses;
} record_of_player;

typedef struct {
    results games; // of those who are rated
    ratings found;
    record_of_player *records; // by player
    int *order;                // players, the best first
    double *anchors;
    double average;
    buffer out;
} rating_list;

static int64_t games_of(const record_of_player *r) { return r->wins + r->draws + r->losses; }

static double points_of(const record_of_player *r) {
    return (double)r->wins + (double)r->draws / 2;
}

// --- options ------------------------------------------------------------------------------------

static bool read_double(text word, double low, double high, double *number) {
    char copy[64], *end;
    writer w = writer_on(copy, sizeof copy);
    write_text(&w, word);
    *number = strtod(copy, &end);
    return word.len && !w.overflow && end == copy + word.len && *number >= low && *number <= high;
}

static int complain_player(const rating_list *l, const char *where, const char *name) {
    suggestion near = suggest_for(text_of(name));
    for (int i = 0; i < l->games.players; i++)
        suggest_offer(&near, l->games.names[i]);
    return misuse("kraton rate: --%s: no player is called %s%s", where,
                  fault_quote(text_of(name)).shown, suggest_hint(&near).shown);
}

// NAME=ELO, the sign the last one: names may hold others.
static bool read_anchor(rating_list *l, const char *spec) {
    const char *equals = strrchr(spec, '=');
    double elo;
    if (!equals || !read_double(text_of(equals + 1), -MOST_ELO, MOST_ELO, &elo)) {
        complain("kraton rate: --anchor takes NAME=ELO, not %s", fault_quote(text_of(spec)).shown);
        return false;
    }
    char name[256];
    writer w = writer_on(name, sizeof name);
    write_text(&w, text_trim((text){spec, (size_t)(equals - spec)}));
    int player = results_find(&l->games, name);
    if (player < 0) {
        complain_player(l, "anchor", name);
        return false;
    }
    l->anchors[player] = elo;
    return true;
}

// --- who is rated -------------------------------------------------------------------------------

static bool remove_marked(rating_list *l, const bool *is_out) {
    fault why;
    if (results_remove(&l->games, is_out, &why))
        return true;
    complain("kraton rate: %s", why.line);
    return false;
}

static bool remove_ignored(rating_list *l, const option_list *names) {
    if (!names->count)
        return true;
    bool *is_out = calloc((size_t)l->games.players + 1, sizeof *is_out), good = is_out != NULL;
    if (!is_out)
        complain("kraton rate: out of memory");
    for (int i = 0; good && i < names->count; i++) {
        int player = results_find(&l->games, names->values[i]);
        good = player >= 0;
        if (good)
            is_out[player] = true;
        else
            complain_player(l, "ignore", names->values[i]);
    }
    good = good && remove_marked(l, is_out);
    free(is_out);
    return good;
}

// Who has too few games is left out, until all others have enough among themselves.
static bool remove_rare(rating_list *l, int64_t least) {
    const results *r = &l->games;
    size_t n = (size_t)r->players + 1;
    int64_t *games = calloc(n, sizeof *games);
    bool *is_out = calloc(n, sizeof *is_out), good = games && is_out;
    if (!good)
        complain("kraton rate: out of memory");
    for (bool again = good; again;) {
        memset(games, 0, n * sizeof *games);
        again = false;
        for (size_t i = 0; i < r->row_count; i++) {
            int64_t both = r->rows[i].wins + r->rows[i].draws + r->rows[i].losses;
            games[r->rows[i].first] += both;
            games[r->rows[i].second] += both;
        }
        for (int i = 0; i < r->players; i++)
            again |= is_out[i] = games[i] < max_i64(least, 1);
        if (again)
            again = good = remove_marked(l, is_out);
    }
    free(games);
    free(is_out);
    return good;
}

static void add_up(rating_list *l) {
    for (size_t i = 0; i < l->games.row_count; i++) {
        const ratings_row *row = &l->games.rows[i];
        record_of_player *a = &l->records[row->first], *b = &l->records[row->second];
        a->wins += row->wins;
        a->draws += row->draws;
        a->losses += row->losses;
        b->wins += row->losses;
        b->draws += row->draws;
        b->losses += row->wins;
    }
}

typedef struct {
    int group, player;
    double elo;
} place_of_player;

// Groups one after the other, the best of each first; equal ones as they were met.
static int compare_places(const void *x, const void *y) {
    const place_of_player *a = x, *b = y;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->elo != b->elo)
        return a->elo > b->elo ? -1 : 1;
    return a->player < b->player ? -1 : a->player > b->player;
}

static bool sort_players(rating_list *l) {
    const ratings *r = &l->found;
    place_of_player *places = calloc((size_t)r->players, sizeof *places);
    if (!places)
        return false;
    for (int i = 0; i < r->players; i++)
        places[i] = (place_of_player){r->group[i], i, r->elo[i]};
    qsort(places, (size_t)r->players, sizeof *places, compare_places);
    for (int i = 0; i < r->players; i++)
        l->order[i] = places[i].player;
    free(places);
    return true;
}

// --- as a table ---------------------------------------------------------------------------------

// Columns of a text on a terminal: Chinese characters take two.
static int columns_of(text t) {
    int columns = 0;
    for (int n; t.len; t = text_skip(t, (size_t)n)) {
        n = max_int(utf8_length(t), 1);
        columns += n > 2 ? 2 : 1;
    }
    return columns;
}

static int longest_name(const rating_list *l) {
    int longest = 6;
    for (int i = 0; i < l->found.players; i++)
        longest = max_int(longest, columns_of(text_of(l->games.names[i])));
    return longest;
}

static void write_name(const rating_list *l, int player, int width, buffer *out) {
    const char *name = l->games.names[player];
    buffer_format(out, "%s%*s", name, width - columns_of(text_of(name)), "");
}

// The next player of the same group in the order; -1: none.
static int next_of(const rating_list *l, int rank) {
    const ratings *r = &l->found;
    int a = l->order[rank], b = rank + 1 < r->players ? l->order[rank + 1] : -1;
    return b >= 0 && r->group[a] == r->group[b] ? b : -1;
}

static double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

// `-` where the games say nothing.
static void write_error(double error, buffer *out) {
    if (isfinite(error))
        buffer_format(out, "%7.1f", error);
    else
        buffer_format(out, "%7s", "-");
}

static void write_superiority(double chance, buffer *out) {
    if (isfinite(chance))
        buffer_format(out, " %6.1f%%", 100 * chance);
    else
        buffer_format(out, " %7s", "-");
}

// To one digit, and 0 without a sign of its own.
static double to_tenth(double elo) { return round(elo * 10) / 10 + 0.0; }

static void write_players(const rating_list *l, buffer *out) {
    const ratings *r = &l->found;
    int width = longest_name(l);
    buffer_format(out, "     %-*s %8s %7s %8s %6s %7s %6s %7s\n", width, "player", "Elo", "error",
                  "points", "games", "score", "draws", "LOS");
    for (int rank = 0; rank < r->players; rank++) {
        int i = l->order[rank], next = next_of(l, rank);
        const record_of_player *own = &l->records[i];
        double games = (double)games_of(own);
        if (r->groups > 1 && (rank == 0 || r->group[l->order[rank - 1]] != r->group[i]))
            buffer_format(out, "group %d\n", r->group[i] + 1);
        buffer_format(out, "%3d  ", rank + 1);
        write_name(l, i, width, out);
        buffer_format(out, " %8.1f ", to_tenth(r->elo[i]));
        write_error(ratings_error(r, i), out);
        buffer_format(out, " %8.1f %6.0f %6.1f%% %5.1f%%", points_of(own), games,
                      100 * share(points_of(own), games), 100 * share((double)own->draws, games));
        if (next >= 0)
            write_superiority(ratings_superiority(r, i, next), out);
        buffer_string(out, "\n");
    }
}

static void write_summary(const rating_list *l, buffer *out) {
    const ratings *r = &l->found;
    buffer_format(out, "\n%u game%s, %d players. First-move advantage: ", l->games.games,
                  l->games.games == 1 ? "" : "s", r->players);
    if (!r->has_advantage)
        buffer_string(out, "unknown");
    else if (r->advantage_error > 0)
        buffer_format(out, "%+.1f +- %.1f Elo", to_tenth(r->advantage), r->advantage_error);
    else
        buffer_format(out, "%+.1f Elo (given)", to_tenth(r->advantage));
    buffer_format(out, ". Draws of equal players: %.1f %%.\n", 100 * r->draw_rate);
    if (r->prior > 0)
        buffer_format(out, "%g virtual draw%s added to each player's games (--prior).\n", r->prior,
                      r->prior == 1 ? "" : "s");
    if (r->groups > 1)
        buffer_format(out,
                      "%d groups have no games between them: their ratings cannot be compared.\n",
                      r->groups);
}

// --- two by two ---------------------------------------------------------------------------------

static int compare_rows(const void *x, const void *y) {
    const ratings_row *a = x, *b = y;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->second < b->second ? -1 : a->second > b->second;
}

// The rows are sorted.
static const ratings_row *find_row(const rating_list *l, int first, int second) {
    const ratings_row wanted = {.first = first, .second = second};
    return bsearch(&wanted, l->games.rows, l->games.row_count, sizeof wanted, compare_rows);
}

static record_of_player record_between(const rating_list *l, int a, int b) {
    const ratings_row *own = find_row(l, a, b), *other = find_row(l, b, a);
    record_of_player sum = {0};
    if (own)
        sum = (record_of_player){own->wins, own->draws, own->losses};
    if (other) {
        sum.wins += other->losses;
        sum.draws += other->draws;
        sum.losses += other->wins;
    }
    return sum;
}

static void write_pairs(const rating_list *l, buffer *out) {
    const ratings *r = &l->found;
    int width = longest_name(l);
    buffer_format(out, "\n%-*s %-*s %6s %6s %6s %6s %8s %9s %10s %7s %7s\n", width, "player", width,
                  "opponent", "games", "won", "drawn", "lost", "score", "expected", "difference",
                  "error", "LOS");
    for (int x = 0; x < r->players; x++)
        for (int y = x + 1; y < r->players; y++) {
            int a = l->order[x], b = l->order[y];
            if (r->group[a] != r->group[b])
                continue;
            record_of_player own = record_between(l, a, b);
            double games = (double)games_of(&own);
            write_name(l, a, width, out);
            buffer_string(out, " ");
            write_name(l, b, width, out);
            buffer_format(out, " %6.0f %6.0f %6.0f %6.0f", games, (double)own.wins,
                          (double)own.draws, (double)own.losses);
            if (games > 0)
                buffer_format(out, " %7.1f%%", 100 * points_of(&own) / games);
            else
                buffer_format(out, " %8s", "-");
            buffer_format(out, " %8.1f%% %+10.1f ", 100 * ratings_expected(r, a, b),
                          to_tenth(r->elo[a] - r->elo[b]));
            write_error(ratings_error_between(r, a, b), out);
            write_superiority(ratings_superiority(r, a, b), out);
            buffer_string(out, "\n");
        }
}

// --- for programs -------------------------------------------------------------------------------

static void write_csv_name(const char *name, buffer *out) {
    bool in_quotes = strpbrk(name, ",\"\n") != NULL;
    buffer_string(out, in_quotes ? "\"" : "");
    for (; *name; name++) {
        if (*name == '"')
            buffer_char(out, '"');
        buffer_char(out, *name);
    }
    buffer_string(out, in_quotes ? "\"" : "");
}

static void write_csv(const rating_list *l, buffer *out) {
    const ratings *r = &l->found;
    buffer_string(out, "rank,player,elo,error,points,games,wins,draws,losses,los,group\n");
    for (int rank = 0; rank < r->players; rank++) {
        int i = l->order[rank], next = next_of(l, rank);
        const record_of_player *own = &l->records[i];
        buffer_format(out, "%d,", rank + 1);
        write_csv_name(l->games.names[i], out);
        buffer_format(out, ",%.2f,", round(r->elo[i] * 100) / 100 + 0.0);
        if (isfinite(ratings_error(r, i)))
            buffer_format(out, "%.2f", ratings_error(r, i));
        buffer_format(out, ",%.1f,%lld,%lld,%lld,%lld,", points_of(own), (long long)games_of(own),
                      (long long)own->wins, (long long)own->draws, (long long)own->losses);
        if (next >= 0 && isfinite(ratings_superiority(r, i, next)))
            buffer_format(out, "%.4f", ratings_superiority(r, i, next));
        buffer_format(out, ",%d\n", r->group[i] + 1);
    }
}

static double rounded(double x) { return round(x * 1e4) / 1e4 + 0.0; }

// null where the games say nothing.
static json_t *number_json(double x) { return isfinite(x) ? json_real(rounded(x)) : json_null(); }

static json_t *player_json(const rating_list *l, int rank) {
    const ratings *r = &l->found;
    int i = l->order[rank], next = next_of(l, rank);
    const record_of_player *own = &l->records[i];
    json_t *player = json_pack("{s:i, s:s, s:f, s:o, s:f, s:I, s:I, s:I, s:I, s:i}", "rank",
                               rank + 1, "player", l->games.names[i], "elo", rounded(r->elo[i]),
                               "error", number_json(ratings_error(r, i)), "points", points_of(own),
                               "games", (json_int_t)games_of(own), "wins", (json_int_t)own->wins,
                               "draws", (json_int_t)own->draws, "losses", (json_int_t)own->losses,
                               "group", r->group[i] + 1);
    json_object_set_new(player, "los",
                        next < 0 ? json_null() : number_json(ratings_superiority(r, i, next)));
    return player;
}

static json_t *pair_json(const rating_list *l, int a, int b) {
    const ratings *r = &l->found;
    record_of_player own = record_between(l, a, b);
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:o, s:o}", "player", l->games.names[a], "opponent",
        l->games.names[b], "wins", (json_int_t)own.wins, "draws", (json_int_t)own.draws, "losses",
        (json_int_t)own.losses, "expected", rounded(ratings_expected(r, a, b)), "difference",
        rounded(r->elo[a] - r->elo[b]), "error", number_json(ratings_error_between(r, a, b)), "los",
        number_json(ratings_superiority(r, a, b)));
}

static void write_json(const rating_list *l, bool with_pairs, buffer *out) {
    const ratings *r = &l->found;
    json_t *players = json_array(), *pairs = json_array();
    for (int rank = 0; rank < r->players; rank++)
        json_array_append_new(players, player_json(l, rank));
    for (int x = 0; with_pairs && x < r->players; x++)
        for (int y = x + 1; y < r->players; y++)
            if (r->group[l->order[x]] == r->group[l->order[y]])
                json_array_append_new(pairs, pair_json(l, l->order[x], l->order[y]));
    json_t *all = json_pack("{s:i, s:i, s:f, s:f, s:o}", "games", (int)l->games.games, "left_out",
                            (int)l->games.left_out, "draw_rate", rounded(r->draw_rate), "prior",
                            r->prior, "players", players);
    json_object_set_new(all, "first_move",
                        r->has_advantage ? json_pack("{s:f, s:f}", "elo", rounded(r->advantage),
                                                     "error", rounded(r->advantage_error))
                                         : json_null());
    if (with_pairs)
        json_object_set(all, "pairs", pairs);
    char *line = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(12));
    buffer_string(out, line ? line : "");
    buffer_string(out, "\n");
    out->failed |= !line;
    free(line);
    json_decref(pairs);
    json_decref(all);
}

// --- the command --------------------------------------------------------------------------------

static int put_out(rating_list *l, const rate_options *o) {
    buffer *out = &l->out;
    if (o->json) {
        write_json(l, o->pairs, out);
    } else if (o->csv) {
        write_csv(l, out);
    } else {
        write_players(l, out);
        write_summary(l, out);
        if (o->pairs)
            write_pairs(l, out);
    }
    fault why = {"out of memory"};
    if (out->failed || (o->out && !file_write(o->out, buffer_text(out), &why)))
        return complain("kraton rate: %s", why.line);
    if (!o->out)
        fwrite(out->bytes, 1, out->len, stdout);
    return STATUS_OK;
}

static int rate(rating_list *l, const rate_options *o, ratings_problem *p, int64_t min_games) {
    if (!remove_ignored(l, &o->ignored))
        return STATUS_USAGE;
    if (!remove_rare(l, min_games))
        return STATUS_BAD;
    if (l->games.players == 0)
        return complain("kraton rate: no games with a result and two players");
    size_t n = (size_t)l->games.players;
    l->records = calloc(n, sizeof *l->records);
    l->order = calloc(n, sizeof *l->order);
    l->anchors = calloc(n, sizeof *l->anchors);
    if (!l->records || !l->order || !l->anchors)
        return complain("kraton rate: out of memory");
    for (size_t i = 0; i < n; i++)
        l->anchors[i] = NAN;
    for (int i = 0; i < o->anchors.count; i++)
        if (!read_anchor(l, o->anchors.values[i]))
            return STATUS_USAGE;
    if (o->pairs && l->games.players > MOST_PAIRED)
        return misuse("kraton rate: --pairs is for at most %d players, not %d (--min-games)",
                      MOST_PAIRED, l->games.players);
    qsort(l->games.rows, l->games.row_count, sizeof *l->games.rows, compare_rows);
    p->players = l->games.players;
    p->rows = l->games.rows;
    p->row_count = l->games.row_count;
    p->anchors = l->anchors;
    fault why;
    if (!ratings_fit(p, &l->found, &why))
        return complain("kraton rate: %s", why.line);
    add_up(l);
    if (!sort_players(l))
        return complain("kraton rate: out of memory");
    return put_out(l, o);
}

static void free_list(rating_list *l) {
    ratings_free(&l->found);
    results_free(&l->games);
    free(l->records);
    free(l->order);
    free(l->anchors);
    buffer_free(&l->out);
    free(l);
}

// Whether the output file is nobody's loss: none of those that are read, and a new one if need be.
static bool may_write(const rate_options *o, int count, char *const *inputs) {
    os_file_status status;
    if (!o->out || !os_path_get_status(o->out, &status) || status.kind != OS_KIND_FILE)
        return true;
    for (int i = 0; i < count; i++)
        if (strcmp(inputs[i], o->out) == 0) {
            complain("kraton rate: %s cannot be read and replaced at once", o->out);
            return false;
        }
    if (!o->overwrite)
        complain("kraton rate: %s exists already (--overwrite replaces it)", o->out);
    return o->overwrite;
}

int cmd_rate(const command *self, int argc, char **argv) {
    rate_options o = {0};
    const option options[] = {
        {"average", 0, "ELO", "average of all ratings (0)", .string = &o.average},
        {"anchor", 0, "NAME=ELO", "give a player this rating; may be repeated", .list = &o.anchors},
        {"first-move", 0, "ELO", "first-move advantage (default: estimate it)",
         .string = &o.first_move},
        {"prior", 0, "N", "virtual draws for each player (default: 1 if needed, else 0)",
         .string = &o.prior},
        {"min-games", 0, "N", "leave out players with fewer games (1)", .string = &o.min_games},
        {"ignore", 0, "NAME", "leave out a player and its games; may be repeated",
         .list = &o.ignored},
        {"pairs", 0, NULL, "every two players: games, difference, error, LOS", .flag = &o.pairs},
        {"csv", 0, NULL, "comma-separated values", .flag = &o.csv},
        {"json", 0, NULL, "JSON", .flag = &o.json},
        {"out", 'o', "FILE", "write to a file", .string = &o.out},
        {"overwrite", 0, NULL, "replace that file if it exists", .flag = &o.overwrite},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, options, &argc, argv, &status))
        return status;
    ratings_problem p = {.advantage = NAN, .prior = NAN};
    int64_t min_games = 1;
    if (!option_real(self, "average", o.average, -MOST_ELO, MOST_ELO, &p.average) ||
        !option_real(self, "first-move", o.first_move, -1000, 1000, &p.advantage) ||
        !option_real(self, "prior", o.prior, 0, 1000, &p.prior) ||
        !option_number(self, "min-games", o.min_games, 1, 1000000000, &min_games))
        return STATUS_USAGE;
    if (o.csv && (o.json || o.pairs))
        return misuse("kraton rate: --csv goes with neither --json nor --pairs");
    if (!may_write(&o, argc, argv))
        return STATUS_BAD;
    rating_list *l = calloc(1, sizeof *l);
    if (!l)
        return complain("kraton rate: out of memory");
    bool good = true;
    for (int i = 0; good && i < argc; i++)
        good = results_read(&l->games, argv[i]);
    status = good ? rate(l, &o, &p, min_games) : STATUS_BAD;
    if (good && l->games.left_out)
        complain("kraton rate: games left out, without a result or without two names: %u",
                 l->games.left_out);
    free_list(l);
    return status;
}
