"""Runs the examples of the Python package: its docstrings and the pycon blocks of pages.
   python_doctest.py PAGE...
`…` stands for text that varies, as in the other examples of the documentation."""
import doctest
import importlib
import sys

FLAGS = doctest.ELLIPSIS | doctest.REPORT_ONLY_FIRST_FAILURE
MODULES = ("kraton", "kraton.rules", "kraton.records", "kraton.tables", "kraton.engine", "kraton.server")


def console(page):
    """The page with all but its pycon blocks left out, so that line numbers stay."""
    lines, on = [], False
    for line in open(page, encoding="utf-8").read().split("\n"):
        fence = line.startswith("```")
        if fence:
            on = line == "```pycon"
        lines.append(line.replace("…", "...") if on and not fence and not line.startswith((">>>", "... ")) else
                     line if on and not fence else "")
    return "\n".join(lines)


failed = 0
for name in MODULES:
    failed += doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed
for page in sys.argv[1:]:
    test = doctest.DocTestParser().get_doctest(console(page), {}, page, page, 0)
    if not test.examples:
        sys.exit("%s: no examples" % page)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    failed += runner.summarize().failed
sys.exit(1 if failed else 0)
