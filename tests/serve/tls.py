"""TLS: suites with forward secrecy and authenticated encryption only; SIGHUP takes up a renewed certificate and a log file
that was moved away, while connections go on."""
from kit import *

folder = tempfile.mkdtemp()


def certificate(name):
    """A new certificate of that name in the place of the old."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
                    "-days", "2", "-subj", "/CN=" + name], check=True, capture_output=True)


def context(suites=None):
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    c.check_hostname, c.verify_mode = False, ssl.CERT_NONE
    if suites:
        c.maximum_version = ssl.TLSVersion.TLSv1_2
        c.set_ciphers(suites + ":@SECLEVEL=0")
    return c


def common_name(server):
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as s, context().wrap_socket(s) as t:
        pem = ssl.DER_cert_to_PEM_cert(t.getpeercert(binary_form=True))
    return subprocess.run(["openssl", "x509", "-noout", "-subject"], input=pem, capture_output=True, text=True).stdout.split("CN")[1].strip(" =\n")


def wait_for(what, holds):
    until = time.monotonic() + PATIENCE
    while not holds():
        check(what, time.monotonic() < until)
        time.sleep(0.02)


certificate("first")
log = folder + "/log"
with Server("--bots", "0", "--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem", "--log", log) as server:
    for suites, good in (("ECDHE-RSA-AES128-GCM-SHA256", True), ("ECDHE-RSA-CHACHA20-POLY1305", True), ("AES128-GCM-SHA256", False),
                         ("ECDHE-RSA-AES128-SHA", False), ("ECDHE-RSA-AES256-SHA384", False), ("DHE-RSA-AES128-GCM-SHA256", False)):
        try:
            with socket.create_connection(("127.0.0.1", server.bot_port), PATIENCE) as s, context(suites).wrap_socket(s) as t:
                taken = t.cipher()[0] == suites
        except (ssl.SSLError, ConnectionError):
            taken = False
        check("%s: %s" % (suites, taken), taken == good)
    check("the first", common_name(server) == "first")
    held = Lines(server.bot_port, context()).guest()

    # renewed
    certificate("second")
    os.rename(log, log + ".1")
    server.process.send_signal(signal.SIGHUP)
    wait_for("reloaded", lambda: os.path.exists(log) and "reloaded" in open(log).read())
    check("the second", common_name(server) == "second")
    held.say("ping n=1")
    check("who is connected stays", held.hear("pong")["n"] == "1")

    # one that cannot be read leaves the old one in use
    open(folder + "/key.pem", "w").write("no key")
    server.process.send_signal(signal.SIGHUP)
    wait_for("said so", lambda: "the old certificate stays in use" in open(log).read())
    check("still the second", common_name(server) == "second")
    held.close()

done = subprocess.run([sys.argv[1], "serve", "--port", "0", "--bot-port", "0", "--data", folder + "/data", "--log", folder + "/none/log"],
                      capture_output=True, text=True)
check("a log that cannot be written: %s" % done.stderr, done.returncode == 1 and "cannot write to the log" in done.stderr)
shutil.rmtree(folder)
