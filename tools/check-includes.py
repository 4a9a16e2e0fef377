#!/usr/bin/env python3
"""Checks the includes under src/ against src/components.txt.

    check-includes.py [ROOT]                  every #include, cycles, headers of the system
    check-includes.py --architecture [ROOT]   ARCHITECTURE.md: the table of components, their picture,
                                              and that the functions it names as `name()` exist
    check-includes.py --picture [ROOT]        prints the picture

Prints what is wrong, one line each, and exits with 1 where anything is.
"""
import re
import sys
from pathlib import Path

LARGEST_CYCLE = 3  # modules of one component that may include each other
PICTURE_COLUMNS = 79
OS = "os"  # the component that may use the system
SYSTEM_HEADER = re.compile(
    r"(sys|linux|net|netinet|arpa)/|"
    r"(pthread|unistd|fcntl|dirent|poll|sched|semaphore|signal|spawn|termios|windows|io)\.h$"
)
SYSTEM_MACRO = re.compile(
    r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*"
    r"\b(_WIN32|__linux__|__APPLE__|__unix__|__EMSCRIPTEN__|__wasm__)\b"
)
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


class Components:
    """The table: what each component may include, and the known violations."""

    def __init__(self, path):
        self.uses = {}
        self.include_exceptions = set()
        self.cycle_exceptions = {}
        self.system_exceptions = set()
        self.needed = set()  # exceptions that were found to be needed
        self.problems = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            words = line.split("#")[0].split()
            if words:
                try:
                    self.read_line(words)
                except (IndexError, ValueError):
                    self.problems.append(f"{path.name}:{number}: cannot read: {line.strip()}")
        for name, uses in self.uses.items():
            for other in uses - self.uses.keys():
                self.problems.append(f"{path.name}: {name} may include {other}, which is missing")

    def read_line(self, words):
        if words[1] == ":":
            end = words.index(";") if ";" in words else len(words)
            self.uses[words[0]] = set(words[2:end])
        elif words[0] == "include":
            self.include_exceptions.add((words[1], words[2]))
        elif words[0] == "cycle":
            self.cycle_exceptions[words[1]] = int(words[2])
        elif words[0] == "system":
            self.system_exceptions.add(words[1])
        else:
            raise ValueError


    def allows(self, component, other):
        if (component, other) in self.include_exceptions:
            self.needed.add(("include", component, other))
            return True
        return other in self.uses[component]

    def allows_system(self, component):
        if component in self.system_exceptions:
            self.needed.add(("system", component))
            return True
        return component == OS

    def allows_cycle(self, component, size):
        if size > LARGEST_CYCLE and size == self.cycle_exceptions.get(component):
            self.needed.add(("cycle", component, str(size)))
            return True
        return size <= LARGEST_CYCLE or size < self.cycle_exceptions.get(component, 0)

    def find_spare_exceptions(self):
        listed = {("include", *pair) for pair in self.include_exceptions}
        listed |= {("cycle", name, str(size)) for name, size in self.cycle_exceptions.items()}
        listed |= {("system", name) for name in self.system_exceptions}
        for line in sorted(listed - self.needed):
            yield "components.txt: no longer needed: " + " ".join(line)


def find_cycles(graph):
    """The strongly connected parts of a graph with more than one node (Tarjan)."""
    index, low, stack, cycles = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            part = set(stack[stack.index(node):])
            del stack[stack.index(node):]
            if len(part) > 1:
                cycles.append(part)

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in index:
            visit(node)
    return cycles


def check_file(root, path, table, modules):
    """The includes of one file; adds to the graph of modules what it includes."""
    where = path.relative_to(root)
    inside = path.relative_to(root / "src")
    component = inside.parts[0]
    module = str(inside.with_suffix(""))
    modules.setdefault(module, set())
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        macro = SYSTEM_MACRO.match(line)
        if macro and component != OS:
            yield f"{where}:{number}: {component} tests {macro[1]}; only {OS} may"
        found = INCLUDE.match(line)
        if not found:
            continue
        if found[2]:
            if SYSTEM_HEADER.match(found[2]) and not table.allows_system(component):
                yield f"{where}:{number}: {component} includes <{found[2]}>; only {OS} may"
            continue
        other = found[1].split("/")[0]
        if "/" not in found[1] or other not in table.uses:
            yield f'{where}:{number}: {component} includes "{found[1]}", which is no component\'s'
        elif other == component:
            modules[module].add(str(Path(found[1]).with_suffix("")))
        elif not table.allows(component, other):
            yield f'{where}:{number}: {component} may not include {other} ("{found[1]}")'


def check_includes(root):
    table = Components(root / "src/components.txt")
    problems = table.problems
    folders = {path.name for path in (root / "src").iterdir() if path.is_dir()}
    for name in sorted(folders - table.uses.keys()):
        problems.append(f"src/{name} is missing in components.txt")
    for name in sorted(table.uses.keys() - folders):
        problems.append(f"components.txt: src/{name} is no folder")
    for cycle in find_cycles(table.uses):
        problems.append("components.txt: a cycle of components: " + " ".join(sorted(cycle)))
    modules = {}
    for path in sorted((root / "src").rglob("*.[ch]")):
        if path.relative_to(root / "src").parts[0] in table.uses:
            problems += check_file(root, path, table, modules)
    for cycle in find_cycles(modules):
        component = min(cycle).split("/")[0]
        if not table.allows_cycle(component, len(cycle)):
            names = " ".join(sorted(cycle))
            problems.append(f"src/{component}: {len(cycle)} modules include each other: {names}")
    return problems + list(table.find_spare_exceptions())


def layers(table):
    """The components by the longest way down to one that includes nothing, highest layer first."""
    heights = {}

    def height(name):
        if name not in heights:
            heights[name] = 1 + max(map(height, table.uses[name]), default=-1)
        return heights[name]

    found = {}
    for name in table.uses:
        found.setdefault(height(name), []).append(name)
    return [found[h] for h in sorted(found, reverse=True)]


def draw(table):
    """The components as rows of boxes, each above all that it may include."""
    rows = layers(table)
    room = PICTURE_COLUMNS - 1
    lines = []
    edges = set()
    for names in rows + [[]]:
        ends = [room * (i + 1) // len(names) for i in range(len(names))]
        border = edges | set(ends)
        lines.append("+" + "".join("+" if i in border else "-" for i in range(1, room + 1)))
        starts = [0] + ends
        if names:
            lines.append("|" + "".join(
                f" {name}".ljust(end - start - 1) + "|"
                for name, start, end in zip(names, starts, ends)))
        edges = set(ends)
    return "\n".join(lines)


def find_missing_functions(root, words):
    """Those `name()` of the text that no file under src/ or web/ contains."""
    code = "\n".join(path.read_text(errors="replace")
                     for folder, ending in (("src", "*.[ch]"), ("web", "*.js"))
                     for path in (root / folder).rglob(ending))
    there = set(re.findall(r"(\w+)\)?\(", code))
    for name in dict.fromkeys(re.findall(r"`(\w+)\(\)`", words)):
        if name not in there:
            yield f"ARCHITECTURE.md: no function {name}()"


def check_architecture(root):
    """Rows of ARCHITECTURE.md: | `name` | what it is | the components it may include |"""
    table = Components(root / "src/components.txt")
    rows = {}
    words = (root / "ARCHITECTURE.md").read_text()
    for line in words.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and re.fullmatch(r"`\w+`", cells[0]):
            rows[cells[0].strip("`")] = set(re.findall(r"\w+", cells[2]))
    problems = []
    for name in rows.keys() - table.uses.keys():
        problems.append(f"ARCHITECTURE.md: {name} is no component")
    for name, uses in table.uses.items():
        if name not in rows:
            problems.append(f"ARCHITECTURE.md: no row for the component {name}")
        elif rows[name] != uses:
            wanted = ", ".join(sorted(uses)) or "nothing"
            problems.append(f"ARCHITECTURE.md: {name} may include {wanted}, says components.txt")
    if draw(table) not in words:
        problems.append("ARCHITECTURE.md: another picture; see check-includes.py --picture")
    return problems + list(find_missing_functions(root, words))


def main():
    arguments = sys.argv[1:]
    check = check_includes
    if arguments[:1] == ["--architecture"]:
        check = check_architecture
        del arguments[0]
    elif arguments[:1] == ["--picture"]:
        check = None
        del arguments[0]
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent)
    if not check:
        print(draw(Components(root / "src/components.txt")))
        return 0
    problems = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
