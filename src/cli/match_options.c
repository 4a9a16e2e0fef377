// The options of `kraton match`, as data, and what of them can be checked before anything is read.
#include "base/suggest.h"
#include "cli/match_setup.h"
#include "os/file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define AT(field) .place = offsetof(match_options, field)

static const option_row rows[] = {
    {"engine", 0, "SPEC", "an engine: cmd=..,name=..,dialect=..,tc=..,dir=..,option.X=..",
     AT(engines), .is_list = true},
    {"engines", 0, "FILE", "engines in JSON, as of fastchess or cutechess; conf=NAME picks one",
     AT(engines_file)},
    {"each", 0, "SPEC", "the same for every engine: tc=10+0.1,option.Hash=64", AT(each)},
    {"config", 0, "FILE", "a JSON file with the same names", AT(config)},
    {"rules", 0, "RULES", "rule set; engines with an option Rules are told", AT(rules)},
    {"schedule", 0, "round-robin|gauntlet|swiss|knockout", "who meets whom (round-robin)",
     AT(schedule)},
    {"rounds", 0, "N", "how often everybody meets; rounds of a Swiss", AT(rounds)},
    {"games", 0, "N", "games of a meeting (2): an opening with both colours", AT(games)},
    {"no-swap", 0, NULL, "the engine named first has the first move in all games of a meeting",
     AT(no_swap)},
    {"gauntlet-seeds", 0, "N", "the first N engines meet all others (1)", AT(seeds)},
    {"sprt", 0, "SPEC", "elo0=0,elo1=5[,alpha=0.05,beta=0.05,model=normalised]", AT(sprt)},
    {"openings", 0, "FILE", "EPD, FEN list or PGN; balanced (default); random; start",
     AT(openings)},
    {"shuffle", 0, NULL, "openings of a file in an order the seed decides", AT(shuffle)},
    {"opening-order", 0, "file|random", "that of the file (default), or as --shuffle",
     AT(opening_order)},
    {"opening-start", 0, "N", "begin with the N-th opening (1)", AT(opening_start)},
    {"opening-plies", 0, "N", "length of random openings, or of those taken from PGN", AT(plies)},
    {"seed", 0, "N", "of openings, pairings and lots (1)", AT(seed)},
    {"concurrency", 0, "N", "games at a time (1)", AT(concurrency)},
    {"affinity", 0, "LIST", "a processor for each game at a time: all, or 0,2-5", AT(affinity)},
    {"wait", 0, "MS", "milliseconds between two games (0)", AT(wait)},
    {"check-pv", 0, NULL, "warn of variations with illegal moves, and of wrong mates",
     AT(check_pv)},
    {"move-limit", 0, "N", "a game ends after so many moves of each side", AT(move_limit)},
    {"resign", 0, "SPEC", "score=800,moves=4[,both=0]: end lost games", AT(resign)},
    {"draw", 0, "SPEC", "score=10,moves=8,from=40: end drawn games", AT(draw)},
    {"tables", 0, "FOLDER", "end games by endgame tables, right after a capture", AT(tables)},
    {"sau-retries", 0, "N", "illegal moves a SAU engine may take back", AT(sau_retries)},
    {"stall", 0, "S", "seconds an engine without a clock may think (300)", AT(stall)},
    {"start-timeout", 0, "S", "seconds to start and get ready (10)", AT(hello)},
    {"out", 'o', "NAME", "write NAME.journal, NAME.json, NAME.pgn", AT(out)},
    {"resume", 0, NULL, "take up the run of --out NAME where it stopped", AT(resume)},
    {"json", 0, "FILE", "games as JSON lines; -: on standard output, as for the next ones",
     AT(json)},
    {"pgn", 0, "FILE", "games as PGN", AT(pgn)},
    {"records", 0, "FOLDER", "a contest record for each game", AT(records)},
    {"transcript", 0, "FILE", "every line in both directions", AT(transcript)},
    {"events", 0, "FILE", "what happens, as JSON lines", AT(events)},
    {"append", 0, NULL, "add to output files that exist", AT(append)},
    {"overwrite", 0, NULL, "replace output files that exist", AT(overwrite)},
    {"no-times", 0, NULL, "leave out what differs from run to run", AT(no_times)},
    {"quiet", 0, NULL, "no line for each game or warning", AT(quiet)},
};

_Static_assert(sizeof rows / sizeof rows[0] == MATCH_OPTIONS, "match_setup.h says how many");

void match_options_table(match_options *o, option table[MATCH_OPTIONS + 1]) {
    options_place(rows, MATCH_OPTIONS, o, table);
}

// --- what goes together -------------------------------------------------------------------------

// Options that exclude each other.
bool match_options_agree(const match_options *o) {
    if (o->resume && !o->out) {
        complain("kraton match: --resume needs the --out of the run to take up");
        return false;
    }
    if (o->append + o->overwrite + o->resume > 1) {
        complain("kraton match: --append, --overwrite and --resume exclude each other");
        return false;
    }
    if (o->append && o->out) {
        complain("kraton match: --append is for --json, --pgn, --transcript and --events; --out "
                 "keeps a journal of one run");
        return false;
    }
    return true;
}

// --- processors ---------------------------------------------------------------------------------

// Adds the processors of `0` or `2-5`. False if the part is neither.
static bool add_processors(text part, int *processors, int *count) {
    text low = {part.at, text_find(part, "-")};
    text high = low.len < part.len ? text_skip(part, low.len + 1) : low;
    int64_t from, to;
    if (!text_to_int(low, 0, OS_PROCESSORS - 1, &from) ||
        !text_to_int(high, from, OS_PROCESSORS - 1, &to) || *count + to - from >= OS_PROCESSORS)
        return false;
    for (; from <= to; from++)
        processors[(*count)++] = (int)from;
    return true;
}

static bool is_among(int number, const int *numbers, int count) {
    for (int i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

// Each game at a time gets one of them.
bool match_read_affinity(match_setup *setup, const char *spec) {
    int allowed[OS_PROCESSORS], count = 0, there = os_processors_allowed(allowed);
    int *given = setup->processors;
    if (!spec)
        return true;
    bool is_all = strcmp(spec, "all") == 0, good = true;
    if (is_all)
        memcpy(given, allowed, sizeof allowed), count = there;
    for (text rest = text_of(spec); good && !is_all; rest = text_skip(rest, 1)) {
        size_t comma = text_find(rest, ",");
        good = add_processors((text){rest.at, comma}, given, &count);
        rest = text_skip(rest, comma);
        if (!rest.len)
            break;
    }
    if (!good) {
        complain("kraton match: --affinity takes all or a list as 0,2-5, not %s",
                 fault_quote(text_of(spec)).shown);
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (is_among(given[i], allowed, there) && !is_among(given[i], given, i))
            continue;
        complain(is_among(given[i], allowed, there)
                     ? "kraton match: --affinity names processor %d twice"
                     : "kraton match: --affinity: this process may not use processor %d",
                 given[i]);
        return false;
    }
    if (count < setup->plan.concurrency) {
        complain("kraton match: --affinity: %d games at a time need as many processors, not %d",
                 setup->plan.concurrency, count);
        return false;
    }
    setup->plan.processors = given;
    return true;
}

// --- files --------------------------------------------------------------------------------------

// The number of a file on its disk, or of the folder that a new file will be in. False for devices
// and where there is not even the folder.
static bool find_file(const char *path, uint64_t where[2], bool *is_new) {
    uv_fs_t request;
    *is_new = uv_fs_stat(NULL, &request, path, NULL) != 0;
    if (*is_new) {
        char folder[4096];
        const char *slash = strrchr(path, '/');
        writer w = writer_on(folder, sizeof folder);
        write_text(&w, slash ? (text){path, (size_t)(slash - path) + 1} : text_of("."));
        uv_fs_req_cleanup(&request);
        if (uv_fs_stat(NULL, &request, folder, NULL) != 0) {
            uv_fs_req_cleanup(&request);
            return false;
        }
    }
    os_file_status status;
    where[0] = request.statbuf.st_dev;
    where[1] = request.statbuf.st_ino;
    uv_fs_req_cleanup(&request);
    return *is_new || (os_path_get_status(path, &status) && status.kind != OS_KIND_OTHER);
}

static const char *name_in_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_standard_output(const char *path) {
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/fd/1") == 0 || strcmp(path, "/proc/self/fd/1") == 0;
}

static bool is_same_file(const char *a, const char *b) {
    uint64_t at[2], bt[2];
    bool is_a_new, is_b_new;
    if (is_standard_output(a) || is_standard_output(b))
        return is_standard_output(a) && is_standard_output(b);
    if (!find_file(a, at, &is_a_new) || !find_file(b, bt, &is_b_new) || is_a_new != is_b_new ||
        at[0] != bt[0] || at[1] != bt[1])
        return false;
    return !is_a_new || strcmp(name_in_folder(a), name_in_folder(b)) == 0;
}

bool match_files_differ(const match_setup *setup, const match_options *o) {
    const match_plan *plan = &setup->plan;
    bool reads = o->openings && strcmp(o->openings, "-") != 0; // standard input is another thing
    const struct {
        const char *name, *path;
    } files[] = {{"--json", plan->json},
                 {"--pgn", plan->pgn},
                 {"--transcript", plan->transcript},
                 {"--events", plan->events},
                 {"the journal", plan->journal},
                 {"--openings", reads ? o->openings : NULL},
                 {"--engines", o->engines_file},
                 {"--config", o->config}};
    enum { FILES = sizeof files / sizeof files[0], OUTPUTS = 5 };
    for (int a = 0; a < OUTPUTS; a++)
        for (int b = a + 1; b < FILES; b++)
            if (files[a].path && files[b].path && is_same_file(files[a].path, files[b].path)) {
                complain("kraton match: %s and %s are both %s: each needs a file of its own",
                         files[a].name, files[b].name,
                         is_standard_output(files[a].path) ? "standard output" : files[a].path);
                return false;
            }
    return true;
}
