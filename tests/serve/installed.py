"""An installed server has its page, wherever its prefix was moved to; one without a page says so.
   installed.py PREFIX   the prefix is changed: its page is taken away in the end"""
import os, shutil, subprocess, sys
from kit import Server, Lines, check

prefix = sys.argv[1]
kraton = prefix + "/bin/kraton"


def complaints(server):
    return open(server.folder + "/stderr").read()


with Server(kraton=kraton) as s:
    status, headers, page = s.rest("GET", "/")
    check("/ is the page", status == 200 and headers["Content-Type"].startswith("text/html"))
    check("the whole page", page.rstrip().endswith(b"</html>"))
    check("its parts are those installed", s.rest("GET", "/theme.js")[2] == open(prefix + "/share/kraton/web/theme.js", "rb").read())
    check("nothing to complain of", complaints(s) == "")
    # The documentation as HTML, where its tools were there to make it.
    if os.path.isdir(prefix + "/share/kraton/web/docs"):
        status, headers, page = s.rest("GET", "/docs/")
        check("/docs/ is the documentation", status == 200 and headers["Content-Type"].startswith("text/html"))
        check("it has its links", b'href="engines.html"' in page)
        check("a page of it", s.rest("GET", "/docs/engines.html")[0] == 200)
        check("its looks", s.rest("GET", "/docs/docs.css")[0] == 200)
        status, headers, _ = s.rest("GET", "/docs")
        check("/docs leads there", status == 301 and headers["Location"] == "/docs/")
        check("no other page", s.rest("GET", "/docs/none")[0] == 404)
    # House bots are the engines beside it.
    c = Lines(s.bot_port).guest()
    c.say("challenge to=House-1 game=surakarta tc=60+1 side=second")
    check("the engine moves", c.hear("moved")["by"] == "first")
    c.close()


def check_without_page(server):
    lines = complaints(server).splitlines()
    check("one line says so: %s" % lines, len(lines) == 1 and "no page" in lines[0])
    check("and what to do", "--web" in lines[0])
    status, headers, words = server.rest("GET", "/")
    check("/ says so too", status == 503 and headers["Content-Type"].startswith("text/plain"))
    check("in words: %s" % words, b"no page" in words)
    check("HEAD as well", server.rest("HEAD", "/game/7")[0] == 503)
    check("a file is not there", server.rest("GET", "/theme.js")[0] == 404)
    check("the API is there", server.rest("GET", "/api/v1/games/live")[0] == 200)
    c = Lines(server.bot_port).guest()
    check("programs are served", c.name)
    c.close()


# A folder `web` of somebody else's near the prefix is not the page.
os.makedirs(prefix + "/../web", exist_ok=True)
for name in ("index.html", "secret.txt"):
    open(prefix + "/../web/" + name, "w").write("private")
shutil.rmtree(prefix + "/share/kraton/web")
with Server(kraton=kraton) as s:
    check_without_page(s)
    check("nobody else's files", s.rest("GET", "/secret.txt")[0] == 404)
with Server("--web", prefix + "/share", kraton=kraton) as s:
    check("the folder is named", prefix + "/share" in complaints(s))
    check_without_page(s)
