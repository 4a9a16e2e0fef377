# What a player scored in a match's JSON lines, with a 95 % interval:
#   awk -v us=kraton -f tools/score.awk NAME.json
BEGIN { first = "\"first\":\"" us "\""; second = "\"second\":\"" us "\"" }
/"result":"draw"/ { draws++ }
/"result":"first wins"/ { if (index($0, first)) wins++; else losses++ }
/"result":"second wins"/ { if (index($0, second)) wins++; else losses++ }
END {
    n = wins + draws + losses
    if (!n) exit 1
    score = (wins + draws / 2) / n
    spread = (wins * (1 - score) ^ 2 + draws * (0.5 - score) ^ 2 + losses * score ^ 2) / n
    margin = 1.96 * sqrt(spread / n)
    printf "%d games: +%d =%d -%d, %.1f %% (95 %%: %.1f to %.1f)\n", n, wins, draws, losses,
        100 * score, 100 * (score - margin), 100 * (score + margin)
}
