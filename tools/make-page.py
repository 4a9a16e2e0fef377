#!/usr/bin/env python3
"""Makes the page as it is served from the page as it is written: modules joined into a few files.

    tools/make-page.py SOURCE OUT [--minify ESBUILD] [--brotli BROTLI]

On a slow line every file costs a turn of question and answer. So the modules of web/bundles.txt are
joined into web/bundle/NAME.js, and index.html names those that a place needs at once. A module
becomes a function that gives back what it exports; it runs once, when it is first needed, as in a
browser. The page's modules use few forms of import and export; others are refused here.
With --minify, esbuild shortens the files; with --brotli they are compressed too, as FILE.br. Without this tool the page works from its source.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

IMPORT = re.compile(r'^import\s+(?:(?P<what>[^";]+?)\s+from\s+)?"(?P<path>\.[^"]+)";[^\n]*$', re.M)
PASSED_ON = re.compile(r'^export\s+\{(?P<names>[^}]*)\}\s+from\s+"(?P<path>\.[^"]+)";[^\n]*$', re.M)
EXPORT = re.compile(r"^export\s+(?P<kind>default|const|class|async function\*?|function\*?)\s*(?P<name>\w*)", re.M)
LATER = re.compile(r'\bimport\("(?P<path>\.[^"]+)"\)')
SHEET = re.compile(r'useStyle\("(/[^"]+)"|new URL\("([^"/]+\.css)", import\.meta\.url\)')
BLOCK_COMMENT = re.compile(r"^[ \t]*/\*\*?(?:(?!\*/).)*\*/[ \t]*\n", re.M | re.S)
LINE_COMMENT = re.compile(r"^[ \t]*//[^\n]*\n", re.M)
# The program that runs the modules: parts by name, made when first needed, loaded with their file.
RUNTIME = """const parts = {}, made = {}, homes = HOMES;
export const define = (more) => Object.assign(parts, more);
export const need = (name) => (made[name] ??= parts[name]());
export const place = (name) => new URL(`../${name}`, import.meta.url).href;
export async function load(name) {
    await Promise.all((homes[name] ?? []).map((file) => import(`./${file}.js`)));
    return need(name);
}
"""


class Refused(Exception):
    """What is wrong with the page's source."""


class Module:
    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.text = (folder / name).read_text(encoding="utf-8")
        self.needs = [self.resolve(m["path"]) for m in IMPORT.finditer(self.text)]
        self.needs += [self.resolve(m["path"]) for m in PASSED_ON.finditer(self.text)]
        bare = LINE_COMMENT.sub("", BLOCK_COMMENT.sub("", self.text))
        self.later = [self.resolve(m["path"]) for m in LATER.finditer(bare)]
        self.sheets = [at or "/" + self.resolve("./" + beside) for at, beside in SHEET.findall(self.text)]

    def resolve(self, path):
        found = os.path.normpath(os.path.join(os.path.dirname(self.name), path)).replace(os.sep, "/")
        if not (self.folder / found).is_file():
            raise Refused(f"{self.name} imports {path}, which is not there")
        return found

    def taken(self, what, path):
        """An import as a line that takes the names from the module that has them."""
        source = f"await need({json.dumps(self.resolve(path))})"
        if not what:
            return f"{source};"
        if what.startswith("* as "):
            return f"const {what[5:]} = {source};"
        default, _, named = what.partition("{") if "{" in what else (what, "", "")
        names = [re.sub(r"\s+as\s+", ": ", each.strip()) for each in named.rstrip("} \n").split(",")]
        default = default.strip(" ,\n")
        names = ([f"default: {default}"] if default else []) + [each for each in names if each]
        return f"const {{ {', '.join(names)} }} = {source};"

    def function(self):
        """The module as a function that gives back its exports."""
        exports = []

        def passed_on(m):
            names = [each.strip() for each in m["names"].split(",") if each.strip()]
            exports.extend(names)
            return f"const {{ {', '.join(names)} }} = await need({json.dumps(self.resolve(m['path']))});"

        def exported(m):
            kind, name = m["kind"], m["name"]
            if kind == "default":
                exports.append("default: byDefault")
                return "const byDefault = " + name
            exports.append(name)
            return f"{kind} {name}"

        text = LINE_COMMENT.sub("", BLOCK_COMMENT.sub("", self.text))
        text = PASSED_ON.sub(passed_on, text)
        text = IMPORT.sub(lambda m: self.taken(m["what"], m["path"]), text)
        text = EXPORT.sub(exported, text)
        text = LATER.sub(lambda m: f"load({json.dumps(self.resolve(m['path']))})", text)
        text = text.replace("import.meta.url", f"place({json.dumps(self.name)})")
        left = re.search(r"^(import|export)\b.*|\bimport\(.*", text, re.M)
        if left:
            raise Refused(f"{self.name} has a form of import or export that is not known: {left[0]}")
        text = re.sub(r"^[ \t]+", "", text, flags=re.M) if "`\n" not in text else text
        return f"{json.dumps(self.name)}: async () => {{\n{text}return {{ {', '.join(exports)} }};\n}}"


class Page:
    def __init__(self, folder):
        self.folder = folder
        self.modules = {}
        self.files = {}  # name of a joined file -> names of its modules, in the order they are needed
        self.places = []  # (beginning of a path, name of the joined file)
        self.home = {}  # module -> name of its joined file

    def module(self, name):
        if name not in self.modules:
            self.modules[name] = Module(self.folder, name)
        return self.modules[name]

    def collect(self, file, name, above=()):
        if name in above:
            raise Refused("modules import each other in a circle: " + " ".join((*above, name)))
        if name in self.home:
            return
        for each in self.module(name).needs:
            self.collect(file, each, (*above, name))
        self.home[name] = file
        self.files[file].append(name)

    def add_file(self, file, names):
        self.files[file] = []
        for name in names:
            self.collect(file, name)

    def read_list(self):
        for line in (self.folder / "bundles.txt").read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            file, place, *patterns = line.split()
            found = [sorted(p.relative_to(self.folder).as_posix() for p in self.folder.glob(each)) for each in patterns]
            for pattern, names in zip(patterns, found):
                if not names:
                    raise Refused(f"bundles.txt: no file is called {pattern}")
            self.add_file(file, [name for names in found for name in names])
            if place != "-":
                self.places.append((place, file))
        waiting = list(self.home)
        while waiting:
            for name in self.module(waiting.pop()).later:
                if name not in self.home:
                    file = name[:-3].replace("/", "-")
                    self.add_file(file, [name])
                    waiting += self.files[file]

    def needed(self, file):
        """The joined files that one needs, itself included, the first one apart."""
        found, waiting = [], [file]
        while waiting:
            each = waiting.pop()
            if each not in found and each != next(iter(self.files)):
                found.append(each)
                waiting += [self.home[need] for name in self.files[each] for need in self.module(name).needs]
        return found

    def homes(self):
        """Of every module that is imported later: the files to be loaded before."""
        later = {name for module in list(self.modules.values()) for name in module.later}
        later |= set(self.home)  # tests ask for any of them
        return {name: files for name in sorted(later) if (files := self.needed(self.home[name]))}

    def joined(self, file, start="app.js"):
        first = next(iter(self.files))
        parts = ",\n".join(self.module(name).function() for name in self.files[file])
        if file != first:
            return f'import {{ define, load, need, place }} from "./{first}.js";\ndefine({{\n{parts}\n}});\n'
        runtime = RUNTIME.replace("HOMES", json.dumps(self.homes(), separators=(",", ":")))
        return f"{runtime}define({{\n{parts}\n}});\nneed({json.dumps(start)});\n"

    def alone(self, name):
        """A page of its own: all that one module needs, in one file."""
        page = Page(self.folder)
        page.add_file("whole", [name])
        waiting = list(page.files["whole"])
        while waiting:
            for each in page.module(waiting.pop()).later:
                if each not in page.home:
                    before = len(page.files["whole"])
                    page.collect("whole", each)
                    waiting += page.files["whole"][before:]
        return page.joined("whole", name)

    def hints(self):
        """What a place needs besides the first file: its files and style sheets."""
        return [[place, [f"/bundle/{file}.js" for file in self.needed(name)] + self.sheets(name)] for place, name in self.places]

    def sheets(self, name):
        files = [next(iter(self.files)), *self.needed(name)]
        found = [sheet for file in files for module in self.files[file] for sheet in self.module(module).sheets]
        return list(dict.fromkeys(found))


def shorten(esbuild, text, kind):
    if not esbuild:
        return text
    options = ["--minify", "--charset=utf8", f"--loader={kind}", "--target=chrome92,firefox91,safari15", "--log-level=error"]
    done = subprocess.run([esbuild, *options], input=text.encode(), capture_output=True, check=False)
    if done.returncode:
        raise Refused(done.stderr.decode().strip())
    return done.stdout.decode()


def write_index(page, out):
    text = (page.folder / "index.html").read_text(encoding="utf-8")
    first = next(iter(page.files))
    text = text.replace('src="/app.js"', f'src="/bundle/{first}.js"')
    places = json.dumps(page.hints(), separators=(",", ":"))
    text = text.replace('data-places="[]"', f"data-places='{places}'")
    (out / "index.html").write_text(text, encoding="utf-8")


def make(source, out, esbuild):
    page = Page(source)
    page.read_list()
    shutil.rmtree(out, ignore_errors=True)
    (out / "bundle").mkdir(parents=True)
    for file in page.files:
        (out / "bundle" / f"{file}.js").write_text(shorten(esbuild, page.joined(file), "js"), encoding="utf-8")
    (out / "bundle" / "embed.js").write_text(shorten(esbuild, page.alone("embed/embed.js"), "js"), encoding="utf-8")
    joined = set(page.home) | {"embed/embed.js", "bundles.txt", "index.html", "embed.html"}
    for path in sorted(p for p in source.rglob("*") if p.is_file()):
        name = path.relative_to(source).as_posix()
        if name in joined:
            continue
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in (".css", ".js"):
            (out / name).write_text(shorten(esbuild, path.read_text(encoding="utf-8"), path.suffix[1:]), encoding="utf-8")
        else:
            shutil.copyfile(path, out / name)
    write_index(page, out)
    embed = (source / "embed.html").read_text(encoding="utf-8").replace("/embed/embed.js", "/bundle/embed.js")
    (out / "embed.html").write_text(embed, encoding="utf-8")


def compress(brotli, out):
    files = [str(path) for path in sorted(out.rglob("*")) if path.suffix in (".js", ".css") and path.name != "sw.js"]
    done = subprocess.run([brotli, "--best", "--force", "--keep", *files], capture_output=True, check=False)
    if done.returncode:
        raise Refused(done.stderr.decode().strip())


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("source", type=Path)
    options.add_argument("out", type=Path)
    options.add_argument("--minify", metavar="ESBUILD")
    options.add_argument("--brotli", metavar="BROTLI")
    given = options.parse_args()
    try:
        make(given.source, given.out, given.minify)
        if given.brotli:
            compress(given.brotli, given.out)
    except (Refused, OSError) as wrong:
        sys.exit(f"make-page: {wrong}")


if __name__ == "__main__":
    main()
