#include "match/report.h"

#include "os/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char *engine_name(const match_run *run, int engine) {
    return match_run_plan(run)->engines[engine].name;
}

static contest_score total_score(const match_tally *t, int engine) {
    contest_score sum = {0};
    for (int b = 0; b < t->engines; b++) {
        const contest_score *s = &t->between[engine * t->engines + b];
        sum.wins += s->wins;
        sum.draws += s->draws;
        sum.losses += s->losses;
        for (int k = 0; k < 5; k++)
            sum.pairs[k] += s->pairs[k];
    }
    return sum;
}

// --- small pieces -------------------------------------------------------------------------------

static void write_span(writer *w, int64_t us) {
    int64_t seconds = us / 1000000;
    if (seconds >= 3600)
        write_format(w, "%" PRId64 ":%02" PRId64 ":%02" PRId64, seconds / 3600, seconds / 60 % 60,
                     seconds % 60);
    else
        write_format(w, "%" PRId64 ":%02" PRId64, seconds / 60, seconds % 60);
}

static void write_elo(writer *w, double elo, double error, const char *plus_minus) {
    if (!isfinite(elo)) // no games, or every game went one way
        write_string(w, "-");
    else if (!isfinite(error))
        write_format(w, "%+.1f", elo + 0.0); // no minus before a zero
    else
        write_format(w, "%+.1f %s %.1f", elo + 0.0, plus_minus, error);
}

static const char *score_of(rules_outcome outcome) {
    return outcome == RULES_FIRST_WINS    ? "1-0"
           : outcome == RULES_SECOND_WINS ? "0-1"
           : outcome == RULES_DRAW        ? "1/2"
                                          : "*";
}

static void write_game(writer *w, const match_run *run, const match_game *g) {
    write_format(w, "game %" PRIu32 " of %" PRIu32 ": %s - %s  %s  %s: %s", g->pairing.index + 1,
                 match_run_total(run), engine_name(run, g->pairing.first),
                 engine_name(run, g->pairing.second), score_of(g->verdict.outcome),
                 referee_reason_name(g->verdict.reason), g->verdict.words);
}

// The score between two engines with its statistics.
static void write_duel(writer *w, const match_run *run, const char *plus_minus) {
    const match_plan *plan = match_run_plan(run);
    const contest_score *s = &match_run_tally(run)->between[1];
    contest_estimate e = contest_estimate_of(s);
    write_format(w, "%s v %s: +%" PRId64 " =%" PRId64 " -%" PRId64 ", Elo ", plan->engines[0].name,
                 plan->engines[1].name, s->wins, s->draws, s->losses);
    write_elo(w, e.elo, e.elo_error, plus_minus);
    write_string(w, ", nElo ");
    write_elo(w, e.nelo, e.nelo_error, plus_minus);
    write_string(w, ", LOS ");
    if (isnan(e.los))
        write_string(w, "-");
    else
        write_format(w, "%.1f %%", 100 * e.los);
    write_format(w, ", pairs [%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "]",
                 s->pairs[0], s->pairs[1], s->pairs[2], s->pairs[3], s->pairs[4]);
    if (plan->sprt) {
        double lower, upper;
        contest_sprt_bounds(&plan->test, &lower, &upper);
        write_format(w, ", LLR %.2f (%.2f, %.2f) [%g, %g]", contest_llr(&plan->test, s), lower,
                     upper, plan->test.elo0, plan->test.elo1);
    }
}

// --- while it runs ------------------------------------------------------------------------------

static const char *plus_minus(const match_report *r) { return r->unicode ? "±" : "+-"; }

void match_report_game(void *report, const match_run *run, const match_game *g, bool replayed) {
    match_report *r = report;
    char line[512];
    writer w = writer_on(line, sizeof line);
    write_game(&w, run, g);
    if (r->live) {
        if (r->last_count == 5)
            memmove(r->last[0], r->last[1], 4 * sizeof r->last[0]);
        else
            r->last_count++;
        writer kept = writer_on(r->last[r->last_count - 1], sizeof r->last[0]);
        write_text(&kept, (text){line, w.used});
        return;
    }
    if (replayed)
        return;
    if (!r->quiet)
        fprintf(r->out, "%s\n", line);
    const match_tally *t = match_run_tally(run);
    if (t->engines == 2 && t->games % 20 == 0) {
        w = writer_on(line, sizeof line);
        write_duel(&w, run, plus_minus(r));
        fprintf(r->out, "%s\n", line);
    }
    fflush(r->out);
}

void match_report_warning(void *report, uint32_t index, uint32_t ply, const char *engine,
                          const char *words) {
    match_report *r = report;
    if (r->quiet && ply)
        return;
    if (r->live && r->drawn) // above the table, which is drawn again below
        fprintf(r->out, "\033[%dA\033[J", r->drawn);
    r->drawn = 0;
    if (ply)
        fprintf(r->out, "warning: game %" PRIu32 ", ply %" PRIu32 ": %s: %s\n", index + 1, ply,
                engine, words);
    else
        fprintf(r->out, "warning: engine %s %s\n", engine, words);
    fflush(r->out);
}

// Cells a text takes on the screen; East Asian characters take two.
static size_t bytes_for_cells(const char *line, int cells) {
    size_t i = 0;
    for (int used = 0; line[i];) {
        unsigned char c = (unsigned char)line[i];
        size_t length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        used += c >= 0xe3 && c <= 0xed ? 2 : 1;
        if (used > cells)
            break;
        for (size_t k = 0; k < length && line[i]; k++)
            i++;
    }
    return i;
}

typedef struct {
    int columns, rows;
} screen_size;

static screen_size screen_size_of(const match_report *r) {
    os_file out = {fileno(r->out)};
    screen_size size = {80, 24};
    os_terminal_size(&out, &size.columns, &size.rows);
    return size;
}

// A line that would wrap is cut, and lines below the screen are left out, so that the table can be
// drawn over.
static void live_line(match_report *r, const char *line) {
    screen_size size = screen_size_of(r);
    if (r->drawn + 2 >= size.rows)
        return;
    fprintf(r->out, "\033[2K%.*s\n", (int)bytes_for_cells(line, size.columns - 1), line);
    r->drawn++;
}

static void draw_progress(match_report *r, const match_run *run) {
    const match_tally *t = match_run_tally(run);
    uint32_t total = match_run_total(run), now = match_run_played_now(run);
    int64_t gone = match_run_elapsed_us(run);
    char line[512];
    writer w = writer_on(line, sizeof line);
    int width = screen_size_of(r).columns < 90 ? 10 : 30;
    int full = total ? (int)(t->games * width / total) : 0;
    for (int i = 0; i < width; i++)
        write_string(&w, i < full ? (r->unicode ? "█" : "#") : (r->unicode ? "░" : "."));
    write_format(&w, " %" PRId64 " of %" PRIu32 " game%s, ", t->games, total,
                 total == 1 ? "" : "s");
    write_span(&w, gone);
    write_string(&w, " gone");
    if (now > 0 && total > t->games) {
        write_string(&w, ", ");
        write_span(&w, gone / now * ((int64_t)total - t->games));
        write_string(&w, match_run_plan(run)->sprt ? " left at most" : " left");
    }
    live_line(r, line);
}

static void standings_line(writer *w, const match_run *run, const schedule_standing *s, int place,
                           const char *plus) {
    const match_tally *t = match_run_tally(run);
    const match_account *a = &t->accounts[s->player];
    contest_score score = total_score(t, s->player);
    contest_estimate e = contest_estimate_of(&score);
    char elo[48];
    writer we = writer_on(elo, sizeof elo);
    if (a->games)
        write_elo(&we, e.elo, e.elo_error, plus);
    write_format(
        w,
        "%3d  %-20.20s %6.1f %6" PRId64 " %5" PRId64 " %5" PRId64 " %5" PRId64 "  %6.1f%%  %-18s",
        place, engine_name(run, s->player), s->half_points / 2.0, a->games, a->wins, a->draws,
        a->losses,
        a->games ? 100.0 * ((double)a->wins + 0.5 * (double)a->draws) / (double)a->games : 0.0,
        elo);
}

static const char standings_head[] =
    "     engine               points  games   won drawn  lost    score  Elo to the field";

void match_report_tick(void *report, const match_run *run) {
    match_report *r = report;
    if (!r->live)
        return;
    if (r->drawn)
        fprintf(r->out, "\033[%dA", r->drawn);
    r->drawn = 0;
    draw_progress(r, run);
    char line[512];
    const match_tally *t = match_run_tally(run);
    if (t->engines == 2) {
        writer w = writer_on(line, sizeof line);
        write_duel(&w, run, plus_minus(r));
        live_line(r, line);
    }
    schedule_standing table[SCHEDULE_MAX_PLAYERS];
    int n = schedule_standings(match_run_schedule(run), table);
    live_line(r, standings_head);
    for (int i = 0; i < n && i < 16; i++) {
        writer w = writer_on(line, sizeof line);
        standings_line(&w, run, &table[i], i + 1, plus_minus(r));
        live_line(r, line);
    }
    for (int i = 0; i < r->last_count; i++)
        live_line(r, r->last[i]);
    fputs("\033[J", r->out);
    fflush(r->out);
}

// --- at the end ---------------------------------------------------------------------------------

static void print_standings(match_report *r, const match_run *run) {
    schedule_standing table[SCHEDULE_MAX_PLAYERS];
    int n = schedule_standings(match_run_schedule(run), table);
    bool swiss = match_run_plan(run)->schedule.kind == SCHEDULE_SWISS;
    fprintf(r->out, "%s%s\n", standings_head, swiss ? "   Buchholz  S-B" : "");
    for (int i = 0; i < n; i++) {
        char line[512];
        writer w = writer_on(line, sizeof line);
        standings_line(&w, run, &table[i], i + 1, plus_minus(r));
        if (swiss)
            write_format(&w, " %7.1f %6.2f", table[i].buchholz, table[i].sonneborn_berger);
        fprintf(r->out, "%s\n", line);
    }
}

static void print_crosstable(match_report *r, const match_run *run) {
    const schedule *s = match_run_schedule(run);
    schedule_standing table[SCHEDULE_MAX_PLAYERS];
    int n = schedule_standings(s, table);
    if (n < 3 || n > 16)
        return;
    fprintf(r->out, "\n%-20s", "points against");
    for (int i = 0; i < n; i++)
        fprintf(r->out, " %9d", i + 1);
    fputc('\n', r->out);
    for (int i = 0; i < n; i++) {
        fprintf(r->out, "%2d %-17.17s", i + 1, engine_name(run, table[i].player));
        for (int j = 0; j < n; j++) {
            int half = 0, games = 0;
            char cell[32] = "-";
            if (i != j)
                schedule_between(s, table[i].player, table[j].player, &half, &games);
            if (games)
                snprintf(cell, sizeof cell, "%.1f/%d", half / 2.0, games);
            fprintf(r->out, " %9s", i == j ? "" : cell);
        }
        fputc('\n', r->out);
    }
}

static void print_accounts(match_report *r, const match_run *run) {
    const match_tally *t = match_run_tally(run);
    fprintf(r->out, "\n%-20s %9s %10s %7s %9s %7s  %s\n", "engine", "time", "ms a move", "depth",
            "knodes/s", "faults", "lost by");
    for (int i = 0; i < t->engines; i++) {
        const match_account *a = &t->accounts[i];
        char span[32], lost[256];
        writer w = writer_on(span, sizeof span);
        write_span(&w, a->time_us);
        w = writer_on(lost, sizeof lost);
        for (int k = 0; k < REFEREE_REASONS; k++)
            if (a->lost_by[k])
                write_format(&w, "%s%s %" PRId64, w.used ? ", " : "",
                             referee_reason_name((referee_reason)k), a->lost_by[k]);
        fprintf(r->out, "%-20.20s %9s %10.3f %7.1f %9.1f %7" PRId64 "  %s\n", engine_name(run, i),
                span, a->moves ? (double)a->time_us / 1000.0 / (double)a->moves : 0.0,
                a->depth_moves ? (double)a->depths / (double)a->depth_moves : 0.0,
                a->node_time_us ? (double)a->nodes * 1000.0 / (double)a->node_time_us : 0.0,
                a->protocol_errors + a->wrong_claims, lost);
    }
}

// Wrong variations: only --check-pv looks for them.
static void print_warnings(match_report *r, const match_run *run) {
    const match_tally *t = match_run_tally(run);
    if (!match_run_plan(run)->checks_pv)
        return;
    fputs("\nwarnings (wrong variations or mates):", r->out);
    for (int i = 0; i < t->engines; i++)
        fprintf(r->out, "%s %s %" PRId64, i ? "," : "", engine_name(run, i),
                t->accounts[i].warnings);
    fputc('\n', r->out);
}

static void print_duel(match_report *r, const match_run *run) {
    const match_plan *plan = match_run_plan(run);
    const match_tally *t = match_run_tally(run);
    char line[512];
    writer w = writer_on(line, sizeof line);
    write_duel(&w, run, plus_minus(r));
    fprintf(r->out, "\n%s\n", line);
    contest_estimate e = contest_estimate_of(&t->between[1]);
    fprintf(r->out, "score %.2f %%, draws %.1f %%\n", 100 * e.score, 100 * e.draw_ratio);
    if (!plan->sprt)
        return;
    contest_sprt_verdict verdict = contest_sprt_judge(&plan->test, &t->between[1]);
    fprintf(r->out, "SPRT: %s\n",
            verdict == SPRT_ACCEPTED_H1   ? "H1 accepted: the first engine is stronger by the bound"
            : verdict == SPRT_ACCEPTED_H0 ? "H0 accepted: it is not"
                                          : "no decision yet");
}

void match_report_end(void *report, const match_run *run, match_end end) {
    match_report *r = report;
    match_report_tick(report, run);
    const match_tally *t = match_run_tally(run);
    r->signal = match_run_signal(run);
    fprintf(r->out,
            "\n%" PRId64 " game%s: first side won %" PRId64 ", drawn %" PRId64
            ", second side won %" PRId64,
            t->games, t->games == 1 ? "" : "s", t->first_wins, t->draws, t->second_wins);
    if (t->aborted)
        fprintf(r->out, ", without result %" PRId64, t->aborted);
    fputs("\n\n", r->out);
    print_standings(r, run);
    print_crosstable(r, run);
    print_accounts(r, run);
    print_warnings(r, run);
    if (t->engines == 2)
        print_duel(r, run);
    if (end == RUN_INTERRUPTED)
        fprintf(r->out, "\ninterrupted after %" PRId64 " of %" PRIu32 " game%s%s\n", t->games,
                match_run_total(run), match_run_total(run) == 1 ? "" : "s",
                match_run_plan(run)->journal ? "; the same command with --resume goes on from here"
                                             : "");
    fflush(r->out);
}
