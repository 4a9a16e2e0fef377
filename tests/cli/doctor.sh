# kraton doctor: all is well here; what is missing is named with its remedy.
. "$(dirname "$0")/lib.sh"
unset KRATON_TABLES

shows '^0 failed' doctor --data "$scratch"
for line in 'ok +version +[0-9.]+, commit ' 'ok +processor ' 'ok +engine surakarta +Kraton .* answers' \
    'ok +engine xiangqi +Kraton .* answers' 'ok +network surakarta +part of the program: [0-9]+ units, checksum [0-9a-f]{16}$' \
    'ok +network xiangqi +part of the program' 'warning +endgame tables .*tb build' 'ok +page .*web$' 'ok +disk .* GB free' \
    '(ok|warning) +HTTP port +8600 ' 'ok +GBK ' 'warning +locale .*LANG=' '(ok|warning) +Chinese fonts '; do
    shows "^$line" doctor
done
LC_ALL=C.UTF-8 shows '^ok +locale' doctor
run tb build --pieces 3 --rules count --dir "$scratch/tables" --threads 1
shows '^ok +endgame tables .*up to 3 pieces under count' doctor --tables "$scratch/tables"
KRATON_TABLES=$scratch shows '^warning +endgame tables +none' doctor
: >"$scratch/file"
for folder in "$scratch" "$scratch/file" /nonexistent; do
    run doctor --tables "$folder"
    [ $status -eq 1 ] && grep -qE "^FAILED +endgame tables +none .* $folder" "$scratch/out" || wrong "doctor --tables $folder"
done
for folder in "$scratch/file" /proc; do
    run doctor --data "$folder"
    [ $status -eq 1 ] && grep -qE "^FAILED +data folder .*$folder( is not a folder|: )" "$scratch/out" || wrong "doctor --data $folder"
    refuses 1 "^kraton serve: --data: .*$folder( is not a folder|: )" serve --data "$folder" --port 0 --bot-port 0
done
! grep -qE '^[0-9]+ failed, 1 warnings' "$scratch/out" || wrong 'doctor: one warning'
refuses 2 'port takes a number' doctor --port x
# A network file, good and damaged.
networks=$(dirname "$0")/../../data/networks
shows "^ok +network file +$networks/surakarta.network: for surakarta, [0-9]+ units, checksum" doctor --network "$networks/surakarta.network"
head -c 5000 "$networks/surakarta.network" >"$scratch/cut.network"
for file in cut.network missing.network; do
    run doctor --network "$scratch/$file"
    [ $status -eq 1 ] && grep -qE "^FAILED +network file +$scratch/$file.* (damaged|No such file)" "$scratch/out" || wrong "doctor --network $file"
done

# A port in use: python listens until its input ends.
mkfifo "$scratch/hold"
python3 -c 'import socket, sys
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print(s.getsockname()[1], flush=True); sys.stdin.read()' <"$scratch/hold" >"$scratch/port" &
exec 4>"$scratch/hold"
comes_true test -s "$scratch/port"
shows "^warning +HTTP port +$(cat "$scratch/port") is in use" doctor --port "$(cat "$scratch/port")"
exec 4>&-
wait

# Alone, without its engines and its page.
mkdir "$scratch/alone" && cp "$kraton" "$scratch/alone/kraton"
"$scratch/alone/kraton" doctor >"$scratch/out" 2>"$scratch/err" </dev/null
status=$?
[ $status -eq 1 ] && grep -qE '^FAILED +engine xiangqi .*not beside' "$scratch/out" && grep -qE '^warning +page .*not found' "$scratch/out" &&
    grep -q '^2 failed' "$scratch/out" || wrong 'doctor without engines'
finish
