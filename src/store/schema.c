#include "store/schema.h"

#include "store/store.h"

#include <stddef.h>

// Times named `at`, started, ended, created are microseconds since 1970; those of moves and of the
// heartbeat are server time: monotonic microseconds that stand still while the server is down.
static const char version_1[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;"
    "INSERT INTO meta VALUES('heartbeat', 0);"

    // kind: 0 guest, 1 person, 2 program, 3 house bot. role: 0 none, 1 arbiter.
    "CREATE TABLE players("
    " id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE UNIQUE, kind INTEGER NOT NULL,"
    " role INTEGER NOT NULL DEFAULT 0, owner INTEGER REFERENCES players, password TEXT,"
    " created INTEGER NOT NULL, closed INTEGER, banned TEXT);"
    "CREATE INDEX players_owner ON players(owner) WHERE owner IS NOT NULL;"

    // hash: BLAKE2b of the token. kind: 0 browser session, 1 program.
    "CREATE TABLE tokens("
    " hash BLOB PRIMARY KEY, player INTEGER NOT NULL REFERENCES players, kind INTEGER NOT NULL,"
    " label TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, revoked INTEGER)"
    " WITHOUT ROWID;"
    "CREATE INDEX tokens_player ON tokens(player);"

    // outcome: as rules_outcome; reason: the referee's name for it. begun: server time.
    "CREATE TABLE games("
    " id INTEGER PRIMARY KEY, game TEXT NOT NULL, rules TEXT NOT NULL, fen TEXT,"
    " first INTEGER NOT NULL REFERENCES players, second INTEGER NOT NULL REFERENCES players,"
    " control TEXT NOT NULL, rated INTEGER NOT NULL, tournament INTEGER, round INTEGER,"
    " started INTEGER NOT NULL, begun INTEGER NOT NULL, ended INTEGER, outcome INTEGER,"
    " reason TEXT, side INTEGER, words TEXT, plies INTEGER, opening TEXT, corrected TEXT);"
    "CREATE INDEX games_first ON games(first);"
    "CREATE INDEX games_second ON games(second);"
    "CREATE INDEX games_ended ON games(ended);"
    "CREATE INDEX games_live ON games(id) WHERE ended IS NULL;"
    "CREATE INDEX games_tournament ON games(tournament) WHERE tournament IS NOT NULL;"

    // What happens in live games, in order: appended only, so that all games that move in one turn
    // share a page. kind: as journal_kind. A finished game's moves go to `moves`, and what no live
    // game needs is cut off at the front.
    "CREATE TABLE journal("
    " id INTEGER PRIMARY KEY, game INTEGER NOT NULL, kind INTEGER NOT NULL, ply INTEGER NOT NULL,"
    " move TEXT, queued INTEGER, written INTEGER, read INTEGER, accepted INTEGER, lag INTEGER,"
    " used INTEGER, remaining INTEGER, score INTEGER, mate INTEGER, depth INTEGER, nodes INTEGER);"
    "CREATE TABLE moves("
    " game INTEGER NOT NULL REFERENCES games, ply INTEGER NOT NULL, move TEXT NOT NULL,"
    " queued INTEGER, written INTEGER, read INTEGER, accepted INTEGER, lag INTEGER, used INTEGER,"
    " remaining INTEGER, score INTEGER, mate INTEGER, depth INTEGER, nodes INTEGER,"
    " PRIMARY KEY(game, ply)) WITHOUT ROWID;"
    "CREATE TABLE positions("
    " key INTEGER NOT NULL, game INTEGER NOT NULL, ply INTEGER NOT NULL,"
    " PRIMARY KEY(key, game, ply)) WITHOUT ROWID;"

    "CREATE TABLE ratings("
    " player INTEGER NOT NULL REFERENCES players, game TEXT NOT NULL, rating REAL NOT NULL,"
    " deviation REAL NOT NULL, volatility REAL NOT NULL, games INTEGER NOT NULL,"
    " updated INTEGER NOT NULL, PRIMARY KEY(player, game)) WITHOUT ROWID;"
    "CREATE TABLE rating_history("
    " player INTEGER NOT NULL, game TEXT NOT NULL, at INTEGER NOT NULL, played INTEGER NOT NULL,"
    " rating REAL NOT NULL, deviation REAL NOT NULL, PRIMARY KEY(player, game, at, played))"
    " WITHOUT ROWID;"

    // kind: as schedule_kind. state: 0 open, 1 running, 2 paused, 3 over, 4 called off.
    "CREATE TABLE tournaments("
    " id INTEGER PRIMARY KEY, name TEXT NOT NULL, game TEXT NOT NULL, rules TEXT NOT NULL,"
    " control TEXT NOT NULL, kind INTEGER NOT NULL, rounds INTEGER NOT NULL, games INTEGER NOT "
    "NULL,"
    " seed INTEGER NOT NULL, rated INTEGER NOT NULL, concurrency INTEGER NOT NULL,"
    " state INTEGER NOT NULL, owner INTEGER NOT NULL, created INTEGER NOT NULL, started INTEGER,"
    " ended INTEGER);"
    "CREATE TABLE entrants("
    " tournament INTEGER NOT NULL REFERENCES tournaments, number INTEGER NOT NULL,"
    " player INTEGER NOT NULL REFERENCES players, withdrawn INTEGER,"
    " PRIMARY KEY(tournament, number)) WITHOUT ROWID;"
    // game: NULL until it is begun, and where it was decided without one; half_points: of `first`.
    "CREATE TABLE pairings("
    " tournament INTEGER NOT NULL REFERENCES tournaments, number INTEGER NOT NULL,"
    " round INTEGER NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL,"
    " opening INTEGER NOT NULL, game INTEGER, half_points INTEGER,"
    " PRIMARY KEY(tournament, number)) WITHOUT ROWID;"

    "CREATE TABLE audit("
    " id INTEGER PRIMARY KEY, at INTEGER NOT NULL, arbiter INTEGER NOT NULL, action TEXT NOT NULL,"
    " subject TEXT NOT NULL, reason TEXT NOT NULL);";

// What the archive knows of its games: the keys of all positions (records/mirror.h), eight bytes
// each, with the outcome they were counted under; how the moves out of the first of them did; what
// the engine thought of a whole game (ply: moves played; score: from the first side's point of
// view). Games below meta's `unindexed` that are over may have no keys yet.
static const char version_2[] =
    "DROP TABLE positions;" // nothing was ever written there
    "CREATE TABLE game_keys("
    " game INTEGER PRIMARY KEY REFERENCES games, outcome INTEGER NOT NULL, keys BLOB NOT NULL);"
    "CREATE TABLE opening_moves("
    " key INTEGER NOT NULL, move INTEGER NOT NULL, first INTEGER NOT NULL, draws INTEGER NOT NULL,"
    " second INTEGER NOT NULL, PRIMARY KEY(key, move)) WITHOUT ROWID;"
    "INSERT INTO meta SELECT 'unindexed', coalesce(max(id), 0) + 1 FROM games;"
    "CREATE TABLE assessments("
    " game INTEGER NOT NULL REFERENCES games, ply INTEGER NOT NULL, score INTEGER NOT NULL,"
    " mate INTEGER NOT NULL, best TEXT, depth INTEGER NOT NULL, PRIMARY KEY(game, ply))"
    " WITHOUT ROWID;";

static const char version_3[] =
    // What a schedule cannot know by itself when it is gone through again: who withdrew (kind 0;
    // subject: the entrant) and whose result changed (kind 1; subject: the pairing; half_points
    // before and now), with how many pairings there were by then.
    "CREATE TABLE tournament_log("
    " tournament INTEGER NOT NULL REFERENCES tournaments, number INTEGER NOT NULL,"
    " pairings INTEGER NOT NULL, kind INTEGER NOT NULL, subject INTEGER NOT NULL,"
    " before INTEGER, now INTEGER, PRIMARY KEY(tournament, number)) WITHOUT ROWID;"
    "INSERT INTO tournament_log(tournament, number, pairings, kind, subject)"
    " SELECT tournament, number, (SELECT count(*) FROM pairings p"
    "  WHERE p.tournament = e.tournament), 0, number FROM entrants e WHERE withdrawn IS NOT NULL;"

    // openings: where games start from, FENs or a seed; sprt: a test between two, verdict: what it
    // said (contest_sprt_verdict).
    "ALTER TABLE tournaments ADD COLUMN openings TEXT;"
    "ALTER TABLE tournaments ADD COLUMN sprt TEXT;"
    "ALTER TABLE tournaments ADD COLUMN verdict INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX tournaments_live ON tournaments(id) WHERE state IN (1, 2);"

    // rematch: which sides (1, 2) offer one.
    "ALTER TABLE games ADD COLUMN rematch INTEGER NOT NULL DEFAULT 0;"

    // Seeks given to a friend by number, and challenges: what waits for somebody.
    "CREATE TABLE offers("
    " id INTEGER PRIMARY KEY, player INTEGER NOT NULL, opponent INTEGER,"
    " side INTEGER NOT NULL, game TEXT NOT NULL,"
    " rules TEXT NOT NULL, control TEXT NOT NULL, fen TEXT, rated INTEGER NOT NULL,"
    " made INTEGER NOT NULL);";

// late: what the server was late by while the move was thought about, and did not charge.
static const char version_4[] = "ALTER TABLE journal ADD COLUMN late INTEGER;"
                                "ALTER TABLE moves ADD COLUMN late INTEGER;";

// sum: a checksum of the row, see store/games.c; NULL in rows of earlier versions.
static const char version_5[] = "ALTER TABLE journal ADD COLUMN sum INTEGER;";

// Games out of records, with what the records said of them. Their players are of kind 4.
static const char version_6[] =
    "CREATE TABLE imported("
    " game INTEGER PRIMARY KEY REFERENCES games, fingerprint INTEGER NOT NULL UNIQUE,"
    " event TEXT NOT NULL, site TEXT NOT NULL, date TEXT NOT NULL);";

// per_player: live games of one player at most; 0: as many as come.
static const char version_7[] =
    "ALTER TABLE tournaments ADD COLUMN per_player INTEGER NOT NULL DEFAULT 0;";

// looks, folded: what names look like (server/name.h), so that none looks like another. NULL: not
// known yet, or nobody's name.
static const char version_8[] =
    "ALTER TABLE players ADD COLUMN looks TEXT;"
    "ALTER TABLE players ADD COLUMN folded TEXT;"
    "CREATE INDEX players_looks ON players(looks) WHERE looks IS NOT NULL;"
    "CREATE INDEX players_folded ON players(folded)"
    " WHERE folded IS NOT NULL;";

// Which games came to a position: the keys of game_keys turned round, each once a game. `unplaced`
// has the games whose keys are not there yet.
static const char version_9[] =
    "CREATE TABLE position_games("
    " key INTEGER NOT NULL, game INTEGER NOT NULL, PRIMARY KEY(key, game)) WITHOUT ROWID;"
    "CREATE TABLE unplaced(game INTEGER PRIMARY KEY);"
    "INSERT INTO unplaced SELECT game FROM game_keys;";

// sum: a checksum of a finished game, its row and its moves (store/games.c); NULL: not known yet.
static const char version_10[] = "ALTER TABLE games ADD COLUMN sum INTEGER;";

// recovery: a hash of the code shown once, with which a forgotten password is replaced. mutes:
// whose words and challenges a player does not want. reports: what players tell arbiters of each
// other.
static const char version_11[] =
    "ALTER TABLE players ADD COLUMN recovery BLOB;"
    "CREATE TABLE mutes("
    " player INTEGER NOT NULL REFERENCES players, other INTEGER NOT NULL REFERENCES players,"
    " PRIMARY KEY(player, other)) WITHOUT ROWID;"
    "CREATE TABLE reports("
    " id INTEGER PRIMARY KEY, at INTEGER NOT NULL, reporter INTEGER NOT NULL REFERENCES players,"
    " player INTEGER NOT NULL REFERENCES players, game INTEGER, words TEXT NOT NULL);"
    "CREATE INDEX reports_reporter ON reports(reporter, at);";

// record: the whole record in the format JSON (docs/records.md); NULL in rows of earlier versions.
static const char version_12[] = "ALTER TABLE imported ADD COLUMN record TEXT;";

// delay: seconds after which spectators see a move of a live game.
static const char version_13[] =
    "ALTER TABLE tournaments ADD COLUMN delay INTEGER NOT NULL DEFAULT 0;";

// The first try of each puzzle by each player, and what it does to the rating of the solver.
static const char version_14[] =
    "CREATE TABLE puzzle_tries("
    " player INTEGER NOT NULL REFERENCES players, game TEXT NOT NULL, number INTEGER NOT NULL,"
    " solved INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY(player, game, number))"
    " WITHOUT ROWID;"
    "CREATE TABLE solvers("
    " player INTEGER NOT NULL REFERENCES players, game TEXT NOT NULL, rating REAL NOT NULL,"
    " deviation REAL NOT NULL, volatility REAL NOT NULL, tries INTEGER NOT NULL,"
    " solved INTEGER NOT NULL, updated INTEGER NOT NULL, PRIMARY KEY(player, game))"
    " WITHOUT ROWID;";

// Names of players are compared without regard to the case of ASCII letters.
static const char version_15[] = "CREATE UNIQUE INDEX players_lower ON players(lower(name));";

static const char *const steps[] = {version_1,  version_2,  version_3,  version_4,  version_5,
                                    version_6,  version_7,  version_8,  version_9,  version_10,
                                    version_11, version_12, version_13, version_14, version_15};

const char *schema_step(int n) {
    return n >= 0 && (size_t)n < sizeof steps / sizeof steps[0] ? steps[n] : NULL;
}

int store_schema_version(void) { return (int)(sizeof steps / sizeof steps[0]); }
