"""A real PostgreSQL for the tests: a temporary cluster of an unprivileged user, on a Unix socket only.

    with Cluster() as cluster:
        url = cluster.database()    # a new, empty one

As a program it runs another with the cluster's address in KRATON_TEST_POSTGRES, and every Server of kit.py then has a
database of its own there:

    cluster.py COMMAND...

Ends with 77 where PostgreSQL is not installed."""
import glob, hashlib, os, pwd, shutil, subprocess, sys, tempfile

VARIABLE = "KRATON_TEST_POSTGRES"
# Nothing here must survive a loss of power.
SETTINGS = ["listen_addresses=", "fsync=off", "full_page_writes=off", "max_connections=50", "shared_buffers=16MB"]


def find_programs():
    """The folder of initdb and postgres, the newest; None where there are none."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    if found:
        return os.path.dirname(found[-1])
    beside = shutil.which("initdb")
    return beside and os.path.dirname(beside)


class Cluster:
    def __init__(self, settings=()):
        programs = find_programs()
        if not programs:
            print("PostgreSQL is not installed")
            sys.exit(77)
        self.programs = programs
        # The path of a socket is short, and PostgreSQL does not run as root.
        self.folder = tempfile.mkdtemp(prefix="kraton-pg-", dir="/tmp")
        self.user = pwd.getpwuid(os.getuid()).pw_name
        if os.getuid() == 0:
            self.user = "nobody"
            shutil.chown(self.folder, self.user)
        os.chmod(self.folder, 0o711)
        self.run("initdb", "-D", self.folder + "/data", "-U", "kraton", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = ["-c%s" % setting for setting in (*SETTINGS, *settings)]
        self.run("pg_ctl", "-D", self.folder + "/data", "-l", self.folder + "/data/log", "-w", "-t", "120", "-o",
                 " ".join(["-k", self.folder, *options]), "start")
        self.made = 0

    def run(self, program, *words):
        command = [self.programs + "/" + program, *words]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid", self.user, "--regid", "nogroup", "--clear-groups", *command]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        if done.returncode:
            raise AssertionError("%s: %s" % (program, done.stderr))

    def database(self):
        self.made += 1
        return database_for(self.address(), self.folder + str(self.made))

    def address(self):
        return "postgresql://kraton@/postgres?host=" + self.folder

    def stop(self):
        self.run("pg_ctl", "-D", self.folder + "/data", "-m", "immediate", "-w", "-t", "120", "stop")
        shutil.rmtree(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *rest):
        self.stop()


def database_for(address, name):
    """The database of a data folder of that name, made where it is not there."""
    database = "k" + hashlib.sha256(os.path.realpath(name).encode()).hexdigest()[:16]
    if not query(address, "SELECT 1 FROM pg_database WHERE datname = '%s'" % database):
        query(address, "CREATE DATABASE %s" % database)
    return address.replace("/postgres?", "/%s?" % database)


def query(address, sql, *options):
    """The rows as psql prints them, unaligned."""
    done = subprocess.run(["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", *options, address, "-c", sql], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout.rstrip("\n")


class Rows(list):
    def fetchall(self):
        return self

    def fetchone(self):
        return self[0] if self else None


class Database:
    """As much of a connection of sqlite3 as the tests use; each statement is committed at once."""
    def __init__(self, address):
        self.address = address

    def execute(self, sql, values=()):
        for value in values:
            shown = str(value) if isinstance(value, (int, float)) else "'%s'" % value.replace("'", "''")
            sql = sql.replace("?", "NULL" if value is None else shown, 1)
        rows = query(self.address, sql, "-F", "\x1f", "-P", "null=\x1e")
        return Rows(tuple(as_value(field) for field in row.split("\x1f")) for row in rows.split("\n") if row)

    executescript = execute

    def commit(self):
        pass

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *rest):
        pass


def as_value(field):
    if field == "\x1e":
        return None
    return int(field) if field.lstrip("-").isdigit() else field


if __name__ == "__main__":
    with Cluster() as cluster:
        status = subprocess.run(sys.argv[1:], env={**os.environ, VARIABLE: cluster.address()}).returncode
    sys.exit(status)
