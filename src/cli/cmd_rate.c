// kraton rate: ratings of all players from the results of their games.
#include "base/buffer.h"
#include "base/encoding.h"
#include "base/minmax.h"
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/results.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ELO = 100000 };

typedef struct {
    const char *average, *first_move, *prior, *min_games, *out;
    option_list anchors, ignored;
    bool pairs, csv, json;
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
    bool is_out[RATINGS_MAX_PLAYERS] = {false};
    for (int i = 0; i < names->count; i++) {
        int player = results_find(&l->games, names->values[i]);
        if (player < 0) {
            complain_player(l, "ignore", names->values[i]);
            return false;
        }
        is_out[player] = true;
    }
    return !names->count || remove_marked(l, is_out);
}

// Who has too few games is left out, until all others have enough among themselves.
static bool remove_rare(rating_list *l, int64_t least) {
    const results *r = &l->games;
    for (bool again = true; again;) {
        int64_t games[RATINGS_MAX_PLAYERS] = {0};
        bool is_out[RATINGS_MAX_PLAYERS] = {false};
        again = false;
        for (size_t i = 0; i < r->row_count; i++) {
            int64_t n = r->rows[i].wins + r->rows[i].draws + r->rows[i].losses;
            games[r->rows[i].first] += n;
            games[r->rows[i].second] += n;
        }
        for (int i = 0; i < r->players; i++)
            again |= is_out[i] = games[i] < max_i64(least, 1);
        if (again && !remove_marked(l, is_out))
            return false;
    }
    return true;
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

// Groups one after the other, the best of each first.
static void sort_players(rating_list *l) {
    const ratings *r = &l->found;
    for (int i = 0; i < r->players; i++) {
        int at = i;
        for (; at > 0; at--) {
            int other = l->order[at - 1];
            if (r->group[other] < r->group[i] ||
                (r->group[other] == r->group[i] && r->elo[other] >= r->elo[i]))
                break;
            l->order[at] = other;
        }
        l->order[at] = i;
    }
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
        buffer_format(out, " %8.1f %7.1f %8.1f %6.0f %6.1f%% %5.1f%%", r->elo[i] + 0.0,
                      ratings_error(r, i), points_of(own), games,
                      100 * share(points_of(own), games), 100 * share((double)own->draws, games));
        if (next >= 0)
            buffer_format(out, " %6.1f%%", 100 * ratings_superiority(r, i, next));
        buffer_string(out, "\n");
    }
}

static void write_summary(const rating_list *l, buffer *out) {
    const ratings *r = &l->found;
    buffer_format(out, "\n%u games, %d players. First-move advantage: ", l->games.games,
                  r->players);
    if (!r->has_advantage)
        buffer_string(out, "unknown");
    else if (r->advantage_error > 0)
        buffer_format(out, "%+.1f +- %.1f Elo", r->advantage, r->advantage_error);
    else
        buffer_format(out, "%+.1f Elo (given)", r->advantage);
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

static record_of_player record_between(const rating_list *l, int a, int b) {
    record_of_player sum = {0};
    for (size_t i = 0; i < l->games.row_count; i++) {
        const ratings_row *row = &l->games.rows[i];
        if (row->first == a && row->second == b) {
            sum.wins += row->wins;
            sum.draws += row->draws;
            sum.losses += row->losses;
        } else if (row->first == b && row->second == a) {
            sum.wins += row->losses;
            sum.draws += row->draws;
            sum.losses += row->wins;
        }
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
            buffer_format(out, " %8.1f%% %+10.1f %7.1f %6.1f%%\n", 100 * ratings_expected(r, a, b),
                          r->elo[a] - r->elo[b], ratings_error_between(r, a, b),
                          100 * ratings_superiority(r, a, b));
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
        buffer_format(out, ",%.2f,%.2f,%.1f,%lld,%lld,%lld,%lld,", r->elo[i] + 0.0,
                      ratings_error(r, i), points_of(own), (long long)games_of(own),
                      (long long)own->wins, (long long)own->draws, (long long)own->losses);
        if (next >= 0)
            buffer_format(out, "%.4f", ratings_superiority(r, i, next));
        buffer_format(out, ",%d\n", r->group[i] + 1);
    }
}

static double rounded(double x) { return round(x * 1e4) / 1e4 + 0.0; }

static json_t *player_json(const rating_list *l, int rank) {
    const ratings *r = &l->found;
    int i = l->order[rank], next = next_of(l, rank);
    const record_of_player *own = &l->records[i];
    json_t *player = json_pack("{s:i, s:s, s:f, s:f, s:f, s:I, s:I, s:I, s:I, s:i}", "rank",
                               rank + 1, "player", l->games.names[i], "elo", rounded(r->elo[i]),
                               "error", rounded(ratings_error(r, i)), "points", points_of(own),
                               "games", (json_int_t)games_of(own), "wins", (json_int_t)own->wins,
                               "draws", (json_int_t)own->draws, "losses", (json_int_t)own->losses,
                               "group", r->group[i] + 1);
    json_object_set_new(player, "los",
                        next < 0 ? json_null()
                                 : json_real(rounded(ratings_superiority(r, i, next))));
    return player;
}

static json_t *pair_json(const rating_list *l, int a, int b) {
    const ratings *r = &l->found;
    record_of_player own = record_between(l, a, b);
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:f}", "player", l->games.names[a], "opponent",
        l->games.names[b], "wins", (json_int_t)own.wins, "draws", (json_int_t)own.draws, "losses",
        (json_int_t)own.losses, "expected", rounded(ratings_expected(r, a, b)), "difference",
        rounded(r->elo[a] - r->elo[b]), "error", rounded(ratings_error_between(r, a, b)), "los",
        rounded(ratings_superiority(r, a, b)));
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
    p->players = l->games.players;
    p->rows = l->games.rows;
    p->row_count = l->games.row_count;
    p->anchors = l->anchors;
    fault why;
    if (!ratings_fit(p, &l->found, &why))
        return complain("kraton rate: %s", why.line);
    add_up(l);
    sort_players(l);
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
    rating_list *l = calloc(1, sizeof *l);
    if (!l)
        return complain("kraton rate: out of memory");
    bool good = true;
    for (int i = 0; good && i < argc; i++)
        good = results_read(&l->games, argv[i]);
    status = good ? rate(l, &o, &p, min_games) : STATUS_BAD;
    if (good && l->games.left_out)
        complain("kraton rate: %u games without a result or without two names were left out",
                 l->games.left_out);
    free_list(l);
    return status;
}
