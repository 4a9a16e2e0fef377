"""Names of accounts and programs: every script, none that looks like another's or like the server's own."""
from kit import *

with Server("--bots", "2") as server:
    def register(name):
        status, headers, answer = server.rest("POST", "/api/v1/register", {"name": name, "password": "correct horse 7"},
                                              headers={"X-Forwarded-For": "1"})
        return status, answer, headers.get("Set-Cookie", "").split(";")[0]

    good = ["Ann", "张三", "李小龙", "さくら", "김철수", "Иван", "Ελένη", "José", "नमस्ते", "O-Neil_7", "张三7", "Märchen", "محمد"]
    cookies = {}
    for name in good:
        status, answer, cookies[name] = register(name)
        check("%s: %s" % (name, answer), status == 200 and answer["name"] == name)

    def refused(name, words):
        status, answer, _ = register(name)
        check("%r: %s" % (name, answer), status == 409 and words in answer["words"])

    # the server's own words, and what looks like them
    for name in ("House_4", "House-11", "House4", "kraton_admin", "Admin", "ADMIN_Ann", "h0use", "Guest-1", "gone-7", "the_admin", "管理员", "裁判", "any"):
        refused(name, "taken")
    # what cannot be seen or changes the direction, and what is no letter
    for name in ("Ann\u200b", "An\u200dn", "\u202eAnna", "Bob\ufeff", "a b", "Ann!", "7Ann", "-Ann", "😀😀😀", "Tom\u2028"):
        refused(name, "a name has letters")
    # one script a name
    for name in ("Annа", "Pаypal", "Βob", "张san", "Иvan"):
        refused(name, "one script")
    # names that look like one that is there
    refused("ANN", "taken")
    refused("иван", "looks like Иван")
    refused("José".replace("é", "e\u0301"), "taken")  # the same letters in another form
    check("another one", register("lan")[0] == 200)
    refused("Ian", "looks like lan")
    refused("O_Neil-7", "looks like O-Neil_7")
    refused("x" * 25, "characters")
    refused("张" * 22, "characters")
    refused("张", "characters")
    refused("Al", "characters")

    # they work everywhere: login, in whatever form; pages; programs; seeks; challenges; records
    decomposed = "José".replace("é", "e\u0301")
    check("log in", server.rest("POST", "/api/v1/login", {"name": decomposed, "password": "correct horse 7"})[2]["name"] == "José")
    import urllib.parse
    check("its page", server.rest("GET", "/api/v1/players/" + urllib.parse.quote("张三"))[2]["name"] == "张三")
    status, _, made = server.rest("POST", "/api/v1/tokens", {"program": "象棋大师"}, cookies["张三"])
    check("a program: %s" % made, status == 201 and made["program"] == "象棋大师")
    status, _, made2 = server.rest("POST", "/api/v1/tokens", {"program": "象棋大师"}, cookies["张三"])
    check("once more", status == 201 and made2["id"] == made["id"])
    program = Lines(server.bot_port).login(made["token"])
    check("its name: %s" % program.name, program.name == "象棋大师")
    page = Socket(server.port, cookies["Иван"])
    page.say("challenge", to="象棋大师", game="xiangqi", tc="60", side="first")
    program.say("accept id=" + program.hear("challenge")["id"])
    game = page.hear("game")
    check("at the board", (game["first_name"], game["second_name"]) == ("Иван", "象棋大师"))
    page.hear("turn")
    page.say("move", game=game["id"], move="h2e2")
    program.hear("turn")
    program.say("resign game=%s" % game["id"])
    page.hear("result")
    record = server.rest("GET", "/api/v1/games/%d/record" % game["id"])[2]
    check("in the record: %s" % record, "象棋大师" in (record if isinstance(record, str) else record.decode()))
    server.kill()
    server.restart()
    refused("иван", "looks like Иван")
