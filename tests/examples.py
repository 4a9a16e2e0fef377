"""Runs the examples of the documentation and compares what they print.
   examples.py KRATON FILE...            runs all blocks of these files
   examples.py --update KRATON FILE...   writes what console blocks print now into the files

A block of code is fenced and has a word behind the fence that says what it is:
   console   commands behind `$ ` (a backslash continues one), each with what it prints; one that
             ends with another status than 0 has `[status N]` as its last line
   sh        commands; each must succeed
   talk      `$ ` and a program, then `> ` what is sent to it and `< ` what it answers
   session   a talk with the battle server: C lines are sent, S lines are what it answers
   rest      requests to the battle server as a guest, `GET PATH` or `POST PATH BODY`, each with the
             status and the JSON of the answer
   others    data: no commands
`…` stands for text that varies, a line `…` for any number of lines. The blocks of a file run in one
folder, in their order; a block that another file has as well (a translation) runs once. Comments
directly above a block, which readers do not see, direct this:
   <!-- not run: REASON -->     the block is not run; how many there are is printed
   <!-- first: COMMAND -->      runs before the block
   <!-- input of: COMMAND -->   a command that must accept the block as its standard input"""
import json, os, queue, re, shutil, socket, subprocess, sys, tempfile, threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "serve"))
import kit

PATIENCE = 120  # seconds until a command is given up
DATA = {"text", "json", "pgn", "contest", "c", "ini", "python", "pycon"}  # pycon: tests/python_doctest.py


class Wrong(Exception):
    pass


class Block:
    def __init__(self, file, number, kind, indent):
        self.place = "%s:%d" % (file, number)
        self.start = number  # index of the first line behind the fence
        self.kind, self.indent = kind, indent
        self.lines, self.first, self.input_of, self.not_run = [], [], None, None
        self.new = None  # what the page is to show instead, after --update


def blocks_of(file):
    """The file's blocks. Code that is only indented is refused: nothing says what it is."""
    blocks, block, notes, before = [], None, [], ""
    for number, line in enumerate(open(file, encoding="utf-8").read().split("\n"), 1):
        fence = re.match(r"( *)```(.*)", line)
        if block and fence:
            blocks.append(block)
            block = None
        elif block:
            block.lines.append(line[block.indent:])
        elif fence:
            block = Block(file, number, fence[2].strip(), len(fence[1]))
            for name, value in notes:
                if name == "first":
                    block.first.append(value)
                elif name == "input of":
                    block.input_of = value
                else:
                    block.not_run = value
            notes = []
        elif re.match(r" *<!-- (not run|first|input of): (.*) -->$", line):
            notes.append(re.match(r" *<!-- (not run|first|input of): (.*) -->$", line).groups())
        else:
            if notes:
                raise Wrong("%s:%d: a block belongs behind the comment" % (file, number))
            if re.match(r"    ", line) and before.strip() == "":
                raise Wrong("%s:%d: code without a fence" % (file, number))
        before = line
    return blocks


def pattern(line):
    return re.compile(".*".join(re.escape(part) for part in line.split("…")))


def fits(wanted, lines):
    """Whether the lines are the wanted ones."""
    if not wanted:
        return not lines
    if wanted[0] == "…":
        return any(fits(wanted[1:], lines[i:]) for i in range(len(lines) + 1))
    return bool(lines) and bool(pattern(wanted[0]).fullmatch(lines[0])) and fits(wanted[1:], lines[1:])


def mark_like(wanted, line):
    """The line with those of its words marked as varying that are so in the wanted one."""
    words = wanted.split()
    parts = re.split(r"(\s+)", line)
    at = [i for i, part in enumerate(parts) if part.strip()]
    for i, word in zip(at, words):
        if "…" in word and pattern(word).fullmatch(parts[i]):
            parts[i] = word
    return "".join(parts)


def update_output(wanted, printed):
    """What was printed, shortened and marked as the wanted lines are."""
    if "…" in wanted:
        head = wanted.index("…")
        tail = len(wanted) - 1 - wanted[::-1].index("…")
        rest = len(wanted) - 1 - tail
        cut = printed[:head] + ["…"] + printed[len(printed) - rest:]
        wanted = wanted[:head + 1] + wanted[tail + 1:]
    else:
        cut = printed
    return [mark_like(wanted[i], line) if i < len(wanted) else line for i, line in enumerate(cut)]


def shell(command, folder, given=None):
    """(status, what it printed on standard output and standard error)"""
    feed = {"input": given} if given is not None else {"stdin": subprocess.DEVNULL}
    p = subprocess.run(["sh", "-c", command], cwd=folder, text=True, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, timeout=PATIENCE, **feed)
    return p.returncode, p.stdout


def must(command, folder, given=None):
    status, printed = shell(command, folder, given)
    if status:
        raise Wrong("status %d: %s\n%s" % (status, command, printed))


def commands_of(lines):
    """[command, where its output begins, where it ends] of a console block."""
    found, i = [], 0
    while i < len(lines):
        if not lines[i].startswith("$ "):
            raise Wrong("no command before: " + lines[i])
        command = lines[i][2:]
        while command.endswith("\\"):
            i += 1
            command += "\n" + lines[i]
        end = i + 1
        while end < len(lines) and not lines[end].startswith("$ "):
            end += 1
        found.append((command, i + 1, end))
        i = end
    return found


def run_console(block, folder, update):
    new, changed, at = [], False, 0
    for command, begin, end in commands_of(block.lines):
        wanted = [line.rstrip() for line in block.lines[begin:end]]
        status, printed = shell(command, folder)
        printed = [line.rstrip() for line in printed.split("\n")]
        if printed[-1] == "":
            printed.pop()
        # apart from the lines printed: `…` does not stand for a status
        shown = [wanted.pop()] if wanted and re.fullmatch(r"\[status \d+\]", wanted[-1]) else []
        ended = ["[status %d]" % status] if status else []
        new += block.lines[at:begin]
        at = end
        if fits(wanted, printed) and shown == ended:
            new += wanted + shown
        elif update:
            new += update_output(wanted, printed) + ended
            changed = True
        else:
            raise Wrong("$ %s\nprints:\n%s\nand the page shows:\n%s" %
                        (command, "\n".join(printed + ended), "\n".join(wanted + shown)))
    if changed:
        block.new = new


def check_talk(block, say, hear):
    """Goes through the talk: `hear` returns the next line, or None at the end."""
    skip = False
    for line in block:
        if line[:1] == ">":
            say(line[2:])
        elif line == "< …":
            skip = True
        else:
            wanted = pattern(line[2:])
            heard = hear()
            while skip and heard is not None and not wanted.fullmatch(heard):
                heard = hear()
            if heard is None or not wanted.fullmatch(heard):
                raise Wrong("wanted: %s\nheard:  %s" % (line, heard))
            skip = False


def run_talk(block, folder):
    command = block.lines[0]
    if not command.startswith("$ "):
        raise Wrong("a talk begins with `$ PROGRAM`")
    p = subprocess.Popen(["sh", "-c", "exec " + command[2:]], cwd=folder, text=True, stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE)
    heard = queue.Queue()

    def listen():
        for line in p.stdout:
            heard.put(line.rstrip("\n"))
        heard.put(None)

    threading.Thread(target=listen, daemon=True).start()

    def say(line):
        p.stdin.write(line + "\n")
        p.stdin.flush()

    def hear():
        try:
            return heard.get(timeout=PATIENCE)
        except queue.Empty:
            return None

    try:
        check_talk(block.lines[1:], say, hear)
    finally:
        p.kill()
        p.wait()


def run_session(block, kraton):
    """Mimi talks as the page says. Rex, who is not on the page, answers her seek, plays what is legal
    and gives up on his second move."""
    with kit.Server(kraton=kraton) as server:
        ann = server.rest("POST", "/api/v1/register", {"name": "Ann", "password": "long enough"})[1]
        cookie = ann["Set-Cookie"].split(";")[0]
        mimi, rex = (server.rest("POST", "/api/v1/tokens", {"program": n}, cookie)[2]["token"]
                     for n in ("Mimi", "Rex"))
        her = socket.create_connection(("127.0.0.1", server.bot_port), PATIENCE)
        lines = her.makefile("r", encoding="utf-8")
        his = kit.Lines(server.bot_port).login(rex)

        def say(line):
            her.sendall(line.replace("krt_…", mimi).encode() + b"\n")

        def hear():
            line = lines.readline().rstrip("\n")
            if line.startswith("seeking "):
                his.say("seek game=surakarta tc=10+0.1")
            if line.startswith("moved ") and " by=first " in line:
                turn = his.hear("turn")
                his.say("move game=%s move=b2-b3" % turn["game"] if turn["ply"] == "1"
                        else "resign game=%s" % turn["game"])
            return line or None

        try:
            whole = re.sub(r"\n +", " ", "\n".join(block.lines)).split("\n")  # folded lines
            check_talk([{"C": "> ", "S": "< "}[line[0]] + line[3:] for line in whole], say, hear)
        finally:
            her.close()
            his.close()


def run_rest(block, kraton):
    """A guest makes the requests; line breaks in an answer on the page do not matter."""
    with kit.Server(kraton=kraton) as server:
        cookie = server.rest("POST", "/api/v1/guest", {})[1]["Set-Cookie"].split(";")[0]
        for part in re.split(r"\n(?=(?:GET|POST|DELETE) /)", "\n".join(block.lines)):
            request, *wanted = part.split("\n")
            method, path, *body = request.split(" ", 2)
            status, _, answer = server.rest(method, path, body[0] if body else None, cookie)
            text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
            heard = "%d %s" % (status, text)
            if not pattern(" ".join(line.strip() for line in wanted)).fullmatch(heard):
                raise Wrong("%s\nis answered with: %s" % (request, heard))


def run(block, folder, kraton, update):
    for command in block.first:
        must(command, folder)
    if block.input_of:
        must(block.input_of, folder, "\n".join(block.lines) + "\n")
    if block.kind == "console":
        run_console(block, folder, update)
    elif block.kind == "sh":
        must("set -e\n" + "\n".join(block.lines), folder)
    elif block.kind == "talk":
        run_talk(block, folder)
    elif block.kind == "session":
        run_session(block, kraton)
    elif block.kind == "rest":
        run_rest(block, kraton)
    elif block.kind not in DATA:
        raise Wrong("no such kind of block: `%s`" % block.kind)
    elif any(re.match(r"\$ |kraton[ -]|\./|cmake ", line) for line in block.lines):
        raise Wrong("commands in a block of kind %s" % block.kind)


def write_back(file, blocks):
    lines = open(file, encoding="utf-8").read().split("\n")
    for block in reversed(blocks):
        if block.new:
            lines[block.start:block.start + len(block.lines)] = [" " * block.indent + l if l else l
                                                                 for l in block.new]
    open(file, "w", encoding="utf-8").write("\n".join(lines))


def main():
    update = sys.argv[1] == "--update"
    kraton, *files = sys.argv[2 if update else 1:]
    programs = os.path.dirname(os.path.abspath(kraton))
    os.environ["PATH"] = os.pathsep.join([programs, os.environ["PATH"], "/usr/games"])
    os.environ["LC_ALL"] = "C.UTF-8"
    count = {"run": 0, "data": 0}
    left, failed, done = [], 0, {}
    for file in files:
        folder = tempfile.mkdtemp()
        try:
            blocks = blocks_of(file)
            for block in blocks:
                if block.not_run:
                    left.append("%s: %s" % (block.place, block.not_run))
                    continue
                count["data" if block.kind in DATA else "run"] += 1
                same = done.setdefault((block.kind, *block.first, *block.lines), block)
                if same is not block:
                    block.new = same.new
                    continue
                try:
                    run(block, folder, kraton, update)
                except (Wrong, EOFError, AssertionError, OSError, subprocess.TimeoutExpired) as why:
                    print("FAILED: %s: %s" % (block.place, why))
                    failed += 1
            if update:
                write_back(file, blocks)
        except Wrong as why:
            print("FAILED: %s" % why)
            failed += 1
        finally:
            shutil.rmtree(folder)
    print("%d blocks run, %d of data, %d not run" % (count["run"], count["data"], len(left)))
    for line in left:
        print("not run: " + line)
    sys.exit(1 if failed else 0)


main()
