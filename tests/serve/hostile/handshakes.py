"""TLS: 400 handshakes of one address at once, and as many that break off in the middle."""
from bystander import *


def certificate(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem"], check=True, capture_output=True)
    return folder + "/cert.pem", folder + "/key.pem"


def attack(server, nothing, number):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    greeted = 0
    for i in range(20):
        raw = [connect(server.bot_port, "198.51.100.1") for j in range(40)]
        tied = []
        for j, s in enumerate(raw):
            s.settimeout(PATIENCE)
            bio, out = ssl.MemoryBIO(), ssl.MemoryBIO()
            tls = context.wrap_bio(bio, out, server_hostname="localhost")
            try:
                tls.do_handshake()
            except ssl.SSLWantReadError:
                pass
            s.sendall(out.read())  # all of them say hello before anybody goes on
            tied.append((s, tls, bio, out))
        for j, (s, tls, bio, out) in enumerate(tied):
            while j % 2:  # every second one goes through with it
                try:
                    tls.do_handshake()
                    greeted += 1
                    break
                except ssl.SSLWantReadError:
                    got = s.recv(16384)
                    if not got:
                        break
                    bio.write(got)
            s.close()
    print("  %d of 400 handshakes were finished" % greeted)
    check("some were", greeted)


scratch = tempfile.mkdtemp()
cert, key = certificate(scratch)
under_attack("800 TLS handshakes of one address", lambda server: None, attack, "--tls-cert", cert, "--tls-key", key, tls=True)
shutil.rmtree(scratch)
