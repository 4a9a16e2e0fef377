# The server's edges: see tests/serve/edges.py.
. "$(dirname "$0")/lib.sh"
python3 "$(dirname "$0")/../serve/edges.py" "$kraton" || failures=1
refuses 2 'go together' serve --tls-cert x
refuses 2 'takes a number' serve --port x
refuses 1 'no address' serve --address nowhere --data "$scratch/data"
refuses 1 'cannot make the folder' serve --port 0 --bot-port 0 --data /proc/nowhere
refuses 1 'certificate' serve --port 0 --bot-port 0 --tls-cert /dev/null --tls-key /dev/null --data "$scratch/data"
refuses 1 'cannot copy' serve --data "$scratch/none" --backup "$scratch/copy.db"
finish
