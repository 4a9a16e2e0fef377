# kraton-mpi on several hosts: network namespaces with a host name each, TCP between the ranks.
# Skipped without MPI, or where namespaces cannot be made (that takes root).
. "$(dirname "$0")/lib.sh"
mpi=$kraton-mpi
if [ ! -x "$mpi" ] || ! command -v mpirun >/dev/null; then
    echo "no MPI here: install libopenmpi-dev and openmpi-bin, and build again"
    exit 77
fi
# Open MPI keeps memory until the program ends.
ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
export ASAN_OPTIONS
hosts=4
prefix=kr$$
remove_hosts() {
    for i in 0 $(seq $hosts); do
        ip netns del "$prefix-$i" 2>/dev/null
    done
    rm -rf "$scratch"
}
trap remove_hosts EXIT
if ! ip netns add "$prefix-0" 2>/dev/null || ! ip -n "$prefix-0" link add name hub type bridge 2>/dev/null ||
    ! ip netns exec "$prefix-0" unshare --uts true 2>/dev/null; then
    echo "no network namespaces here"
    exit 77
fi

# --- namespace 0 is the network and where mpirun is, the others are the hosts
ip -n "$prefix-0" addr add 10.77.0.100/24 dev hub
ip -n "$prefix-0" link set hub up
ip -n "$prefix-0" link set lo up
printf '127.0.0.1 localhost\n' >"$scratch/names"
for i in $(seq $hosts); do
    ip netns add "$prefix-$i"
    ip link add "v$i" netns "$prefix-0" type veth peer name eth0 netns "$prefix-$i"
    ip -n "$prefix-0" link set "v$i" master hub up
    ip -n "$prefix-$i" addr add "10.77.0.$i/24" dev eth0
    ip -n "$prefix-$i" link set eth0 up
    ip -n "$prefix-$i" link set lo up
    printf '10.77.0.%s %s-%s\n' "$i" "$prefix" "$i" >>"$scratch/names"
done
# What mpirun calls instead of ssh: agent HOST COMMAND...
cat >"$scratch/agent" <<END
#!/bin/sh
host=\$1
shift
exec ip netns exec "\$host" unshare --uts --mount sh -c "
    mount --bind '$scratch/names' /etc/hosts; hostname '\$host'; exec \$*"
END
chmod +x "$scratch/agent"

# hosts_run N ARGUMENT...: a rank on each of N hosts
hosts_run() {
    count=$1
    shift
    list=$prefix-1
    for i in $(seq 2 "$count"); do
        list=$list,$prefix-$i
    done
    ip netns exec "$prefix-0" unshare --uts --mount sh -c '
        mount --bind "$1" /etc/hosts; hostname "$2-0"; shift 2; exec "$@"' sh \
        "$scratch/names" "$prefix" env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        mpirun --mca plm rsh --mca plm_rsh_agent "$scratch/agent" --mca btl self,tcp \
        --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \
        --mca hwloc_base_binding_policy none --mca mpi_yield_when_idle 1 \
        -n "$count" --host "$list" "$mpi" "$@" >"$scratch/out" 2>"$scratch/err"
}

pieces=${KRATON_HOSTS_PIECES:-5}
for rules in ${KRATON_HOSTS_RULES:-count traditional}; do
    shows '^all ' tb build --pieces "$pieces" --rules "$rules" --dir "$scratch/alone"
    for count in 1 2 4; do
        hosts_run $count tb build --pieces "$pieces" --rules "$rules" --threads 1 \
            --dir "$scratch/hosts-$count" || wrong "$count hosts: $(cat "$scratch/err")"
        echo "$rules, $count hosts:$(grep '^all' "$scratch/out")"
    done
done
for count in 1 2 4; do
    diff -r "$scratch/alone" "$scratch/hosts-$count" || wrong "$count hosts write other files"
done
hosts_run 4 tb verify --dir "$scratch/hosts-4" || wrong "verify: $(cat "$scratch/err")"
received=$(ip netns exec "$prefix-4" cat /sys/class/net/eth0/statistics/rx_bytes)
[ "$received" -gt 100000 ] || wrong "host 4 has received $received bytes only"

[ $failures -eq 0 ]
