"""Every link of the documentation's site leads somewhere: site_links.py FOLDER"""
import re
import sys
from pathlib import Path
from urllib.parse import unquote

out = Path(sys.argv[1]).resolve()
pages = {path: path.read_text(encoding="utf-8") for path in out.rglob("*.html")}
names = {path: set(re.findall(r' id="([^"]*)"', text)) for path, text in pages.items()}
wrong, links = [], 0
for path, text in pages.items():
    for link in re.findall(r'(?:href|src)="([^"]*)"', text):
        if re.match(r"[a-z]+:", link):
            continue
        links += 1
        file, _, heading = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        if not target.exists() or (heading and unquote(heading) not in names.get(target, ())):
            wrong.append("%s: %s" % (path.relative_to(out), link))
print("\n".join(wrong) or "%d links of %d pages" % (links, len(pages)))
sys.exit(1 if wrong or links < 100 else 0)
