#!/usr/bin/env python3
"""Makes the site of the documentation: make-docs.py OUT

README.md becomes index.html, docs/NAME.md NAME.html, docs/lab/ lab/, the other pages of the root their
name in small letters. Links between them are rewritten; a link to a file of the source stays as text.
Wants cmark-gfm and no module that Debian's python3-minimal lacks. The same pages give the same bytes."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRAME = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{up}docs.css">
<nav><a href="{up}index.html"><b>Kraton</b></a> {links}</nav>
<main>
{body}</main>
</html>
"""
NAVIGATION = [("commands", "Commands"), ("engines", "Engines"), ("match", "Matches"), ("records", "Records"),
              ("running-a-server", "Server"), ("python", "Python"), ("libkraton", "C"), ("results", "Results")]
STYLE = """:root { color-scheme: light dark; --text: light-dark(#27221b, #ece6db); --bg: light-dark(#f6f3ed, #181613);
  --sunken: light-dark(#ece7dd, #12100e); --line: light-dark(#ddd5c7, #3a352d); --accent: light-dark(#17694e, #5cc39b); }
body { margin: 0 auto; padding: 0 1rem 4rem; max-width: 52rem; background: var(--bg); color: var(--text);
  font: 1rem/1.6 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; padding: 0.8rem 0; border-bottom: 1px solid var(--line); }
h1, h2, h3 { line-height: 1.25; margin-top: 2em; }
h1 { margin-top: 1em; }
h2 a, h3 a { color: inherit; text-decoration: none; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 0.8rem 1rem; background: var(--sunken); border-radius: 8px; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
td, th { border-bottom: 1px solid var(--line); padding: 0.3rem 0.7rem; text-align: start; vertical-align: top; }
img { max-width: 100%; height: auto; }
"""
TEXTS = {".c", ".py", ".js"}  # examples, given out as text


def site_path(path):
    """Where a file of the repository is on the site; None for those that are not on it."""
    parts = path.parts
    if path.suffix == ".md" and len(parts) == 1:
        return {"README.md": "index.html", "README.zh.md": "index.zh.html"}.get(path.name, path.stem.lower() + ".html")
    if parts[0] != "docs":
        return "license.txt" if path.name == "LICENSE" else None
    rest = Path(*parts[1:])
    if path.suffix == ".md":
        return str(rest.with_name("index.html" if path.name == "README.md" else path.stem + ".html"))
    return str(rest) + ".txt" if path.suffix in TEXTS else str(rest)


ENTITIES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))  # all that cmark-gfm writes


def escape(text):
    for character, entity in ENTITIES:
        text = text.replace(character, entity)
    return text


def unescape(text):
    for character, entity in reversed(ENTITIES):
        text = text.replace(entity, character)
    return text


def relative(to, source):
    """A link from one page of the site to another."""
    return "../" * (len(Path(source).parts) - 1) + to


def rewrite(link, page, source):
    """A link of a page of the repository as one of the site; None where there is no such place."""
    if re.match(r"[a-z]+:|#", link):
        return link
    name, mark, heading = link.partition("#")
    try:
        target = (ROOT / page.parent / name).resolve().relative_to(ROOT)
    except ValueError:
        return None
    to = site_path(target) if target.parts and (ROOT / target).is_file() else None
    return relative(to, source) + mark + heading if to else None


def slug(heading):
    """The name of a heading, as GitHub makes it."""
    text = unescape(re.sub(r"<[^>]*>", "", heading)).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def render(page):
    source = site_path(page)
    body = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", str(ROOT / page)], check=True, capture_output=True,
                          text=True, encoding="utf-8").stdout
    body = re.sub(r"<!--.*?-->\n?", "", body, flags=re.S)

    def anchor(match):
        name = slug(match[2])
        return '<h%s id="%s">%s</h%s>' % (match[1], escape(name), match[2], match[1])

    def link(match):
        to = rewrite(unescape(match[1]), page, source)
        return '<a href="%s">%s</a>' % (escape(to), match[2]) if to else match[2]

    def picture(match):
        return '<img src="%s"' % escape(rewrite(unescape(match[1]), page, source) or match[1])

    body = re.sub(r"<h([1-4])>(.*?)</h\1>", anchor, body, flags=re.S)
    body = re.sub(r'<a href="([^"]*)">(.*?)</a>', link, body, flags=re.S)
    body = re.sub(r'<img src="([^"]*)"', picture, body)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S)
    heading = re.sub(r"<[^>]*>", "", title[1]) if title else page.stem
    language = "zh" if page.name.endswith(".zh.md") else "en"
    up = relative("", source)
    links = " ".join('<a href="%s%s.html">%s</a>' % (up, name, words) for name, words in NAVIGATION)
    whole = heading if heading == "Kraton" else heading + " - Kraton"
    return FRAME.format(language=language, title=whole, up=up, links=links, body=body)


def main():
    out = Path(sys.argv[1])
    for old in sorted(out.glob("**/*"), reverse=True):  # what is in a folder comes before it
        old.rmdir() if old.is_dir() else old.unlink()
    files = [path.relative_to(ROOT) for pattern in ("*.md", "docs/**/*", "LICENSE") for path in sorted(ROOT.glob(pattern))
             if path.is_file()]
    for path in files:
        to = site_path(path)
        if to is None or "__pycache__" in path.parts:
            continue
        (out / to).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            (out / to).write_text(render(path), encoding="utf-8")
        else:
            (out / to).write_bytes((ROOT / path).read_bytes())
    (out / "docs.css").write_text(STYLE, encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except FileNotFoundError as missing:
        if missing.filename != "cmark-gfm":
            raise
        sys.exit("make-docs.py: cmark-gfm is missing: apt-get install cmark-gfm")
