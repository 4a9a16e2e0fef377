# The server on PostgreSQL: tests/serve/postgres.py, and a few of the server's other tests there.
# Skipped without PostgreSQL. serve_postgres_all.sh runs the others.
. "$(dirname "$0")/lib.sh"
serve=$(dirname "$0")/../serve
python3 "$serve/cluster.py" sh -ec '
for test in postgres store_copy guest play people slow restart; do
    echo "$test"
    python3 "$1/$test.py" "$2"
done' sh "$serve" "$kraton"
case $? in
0) ;;
77) exit 77 ;;
*) failures=1 ;;
esac
finish
