# All tests of the server on PostgreSQL, but those of its files: the folder, the disk, old versions.
# Skipped without PostgreSQL.
. "$(dirname "$0")/lib.sh"
serve=$(dirname "$0")/../serve
python3 "$serve/cluster.py" sh -c '
failures=0
for path in "$1"/*.py; do
    test=$(basename "$path" .py)
    case $test in
    kit | cluster | installed | edges | flips | full | migrate | power | storage) continue ;;
    guest | people | play | postgres | restart | slow | store_copy) continue ;; # in serve_postgres.sh
    esac
    echo "$test"
    python3 "$path" "$2"
    case $? in 0 | 77) ;; *) echo "FAILED: $test"; failures=1 ;; esac
done
exit $failures' sh "$serve" "$kraton"
case $? in
0) ;;
77) exit 77 ;;
*) failures=1 ;;
esac
finish
