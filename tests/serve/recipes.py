"""The recipes of docs/running-a-server.md for reverse proxies, tried: nginx and Caddy with the text of that page, HAProxy with the PROXY
protocol. A page, a WebSocket and the client's address come through. A proxy that is not installed is not tried."""
from kit import *

CLIENT = "127.0.0.2"  # another address of this machine than the proxy's, which is trusted
text = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/running-a-server.md")).read()
scratch = tempfile.mkdtemp()
os.chmod(scratch, 0o755)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def block(language, holds):
    """The first block of that language with these words."""
    for found in re.findall(r"```%s\n(.*?)```" % language, text, re.S):
        if holds in found:
            return found
    raise AssertionError("no %s with %s in the page" % (language, holds))


def nginx(server, port):
    recipe = block("nginx", "proxy_pass").replace("127.0.0.1:8600", "127.0.0.1:%d" % server.port)
    open(scratch + "/nginx.conf", "w").write(
        "daemon off; pid %s/nginx.pid; error_log %s/nginx.log;\nevents {}\nhttp { access_log off;\n" % (scratch, scratch)
        + "".join("%s_temp_path %s/%s;\n" % (kind, scratch, kind) for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        + "server { listen 127.0.0.1:%d;\n%s\n}\n}\n" % (port, recipe))
    return ["nginx", "-c", scratch + "/nginx.conf", "-e", scratch + "/nginx.log"]


def caddy(server, port):
    recipe = block("text", "reverse_proxy").replace("127.0.0.1:8600", "127.0.0.1:%d" % server.port)
    recipe = recipe.replace("play.example.org", "http://127.0.0.1:%d" % port)  # without a name there is no certificate
    open(scratch + "/Caddyfile", "w").write("{\n admin off\n auto_https off\n}\n" + recipe)
    return ["caddy", "run", "--config", scratch + "/Caddyfile", "--adapter", "caddyfile"]


def haproxy(server, port):
    recipe = block("haproxy", "send-proxy-v2").replace("127.0.0.1:8600", "127.0.0.1:%d" % server.port)
    recipe = recipe.replace("bind :80", "bind 127.0.0.1:%d" % port)
    open(scratch + "/haproxy.cfg", "w").write("defaults\n timeout connect 60s\n timeout client 300s\n timeout server 300s\n" + recipe)
    return ["haproxy", "-db", "-f", scratch + "/haproxy.cfg"]


def wait_for(port, process):
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), PATIENCE).close()
        except OSError:
            check("it listens", time.monotonic() < until and process.poll() is None)
            time.sleep(0.05)


def try_proxy(name, command_of):
    if not (shutil.which(name) or os.path.exists("/usr/sbin/" + name)):
        print("%s is not installed: not tried" % name)
        return
    folder = tempfile.mkdtemp(dir=scratch)
    access = folder + "/access"
    with Server("--bots", "0", "--trusted-proxy", "127.0.0.1", "--access-log", access, "--log-format", "json", folder=folder) as server:
        port = free_port()
        process = subprocess.Popen(command_of(server, port), stdout=subprocess.DEVNULL, stderr=open(scratch + "/" + name + ".errors", "w"),
                                   env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin", "HOME": scratch})
        try:
            wait_for(port, process)
            c = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(CLIENT, 0))
            c.request("GET", "/api/v1/health")
            check("%s passes requests on" % name, json.loads(c.getresponse().read())["status"] == "ok")
            c.close()
            page = Socket(port)
            check("%s passes WebSockets on: %s" % (name, page.status), page.status == 101)
            page.say("ping", n="1")
            page.hear("pong")
            page.close()
            lines = [json.loads(line) for line in open(access)]
            check("%s tells the client's address: %s" % (name, lines), [l["address"] for l in lines if "health" in l["path"]] == [CLIENT])
            print("%s: a page, a WebSocket, the client's address" % name)
        finally:
            process.terminate()
            process.wait(PATIENCE)


for name, command_of in (("nginx", nginx), ("caddy", caddy), ("haproxy", haproxy)):
    try_proxy(name, command_of)
shutil.rmtree(scratch)
