"""The output: a headline for each step, its changes below, and figures at the end."""

import os
import shutil
import statistics
import sys
import time

COLOURS = {"+": 32, "-": 31, ">": 36, "*": 33, "dim": 2, "bold": 1, "bad": 31}
SIGNS = "+->*"
FEW = 6  # the largest number of lines below a headline, without --long


class Story:
    """The changes of one answer: lines of (sign, text) for folders and for files."""

    def __init__(self, applied, before, after):
        self.before = {section["id"]: section["header"] for section in before}
        self.after = {section["id"]: section["header"] for section in after}
        self.counts = dict.fromkeys(SIGNS, 0)
        self.folders, self.files, self.with_folders = [], [], []
        for section in applied.folders_inserted:
            self._folder("+", section)
        for section in applied.folders_deleted:
            self._folder("-", section)
        for old, new in applied.folders_changed:
            files = plural(len(new["items"]), "file")
            self.folders.append((">", f"{old['header']} → {new['header']}  folder, {files} in it"))
            self.counts[">"] += 1
        for item, section in applied.deleted:
            self._file("-", path(section["header"], item))
        for item, ident in applied.inserted:
            self._file("+", path(self.after[ident], item))
        for ident in {**applied.moved, **applied.changed}:
            self._kept(ident, applied)
        self.files.sort(key=lambda line: line[1])

    def _folder(self, sign, section):
        files = [(sign, path(section["header"], item)) for item in section["items"]]
        inside = f", {plural(len(files), 'file')}" if files else ""
        self.folders.append((sign, f"{section['header']}  folder{inside}"))
        self.with_folders += files
        self.counts[sign] += len(files)

    def _file(self, sign, text):
        self.files.append((sign, text))
        self.counts[sign] += 1

    def _kept(self, ident, applied):
        """Adds a file that is kept. A file that only moved because of others has the same path and content,
        and gets no line."""
        old, section = applied.moved.get(ident) or applied.changed[ident]
        new, to = applied.to[ident]
        same_folder = section["id"] == to
        old_path = path(self.before.get(section["id"], section["header"]), old)
        new_path = path(self.after[to], new)
        changed = [key for key in ("blob", "mode") if old[key] != new[key]]
        kind = "" if old["mode"] == new["mode"] else f"  {old['mode']} → {new['mode']}"
        if not same_folder or old["text"] != new["text"]:
            self._file(">", f"{old_path} → {new_path}{'  changed' if 'blob' in changed else ''}{kind}")
            self.counts["*"] += bool(changed)
        elif changed:
            self._file("*", new_path + kind)

    def lines(self, all_of_them):
        if all_of_them:
            return self.folders + sorted(self.with_folders + self.files, key=lambda line: line[1])
        lines = self.folders + self.files
        return lines if len(lines) <= FEW else lines[: FEW - 1]

    def more(self):
        return len(self.folders) + len(self.files) - len(self.lines(False))


class Screen:
    """Standard output, and a line of progress on standard error if that is a terminal."""

    def __init__(self, long=False, short=False):
        sys.stdout.reconfigure(errors="replace")
        sys.stderr.reconfigure(errors="backslashreplace")
        self.long, self.short = long, short
        terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self.colour = terminal and not os.environ.get("NO_COLOR")
        self.width = shutil.get_terminal_size().columns if terminal else None
        self.arrow = "→" if "utf" in (sys.stdout.encoding or "").lower() else "->"
        self._live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._shown = False
        self._start = self._last = time.monotonic()

    def head(self, label):
        signs = "".join(f"{word:>8}" for word in ("+insert", "-delete", ">move", "*change"))
        self.print(self.paint("dim", f"{label:<20}{signs}"))

    def step(self, name, date, title, story):
        counts = "".join(
            self.paint(sign, f"{sign + str(count):>8}") if count else " " * 8
            for sign, count in story.counts.items()
        )
        head = f"{name:<8}  {date:<10}"
        title = clean(title)
        room = title if self.width is None else title[: max(self.width - len(head) - 34, 20)]
        self.print(f"{self.paint('dim', head)}{counts}  {self.paint('bold', room)}")
        if self.short:
            return
        for sign, text in story.lines(self.long):
            self.print(f"    {self.paint(sign, sign)} {text}")
        if not self.long and story.more():
            self.print(self.paint("dim", f"      {story.more()} more (--long shows all)"))

    def summary(self, rows):
        """Prints figures, aligned: (label, value, whether it is good)."""
        width = max(len(label) for label, _, _ in rows)
        self.print("")
        for label, value, good in rows:
            self.print(f"{label:<{width}}  {value if good else self.paint('bad', value)}")

    def print(self, line):
        self.wipe()
        print(line.replace("→", self.arrow))

    def progress(self, done, total):
        now = time.monotonic()
        if not self._live or now - self._last < 0.1 or now - self._start < 1:
            return
        self._last = now
        sys.stdout.flush()
        rate = done / (now - self._start)
        left = f", {(total - done) / rate:,.0f} s left" if total > done else ""
        print(f"\r\x1b[K{done:,} of {total:,} commits{left}", end="", file=sys.stderr, flush=True)
        self._shown = True

    def wipe(self):
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = False

    def paint(self, colour, text):
        return f"\x1b[{COLOURS[colour]}m{text}\x1b[m" if self.colour else text


def path(header, item):
    return item["text"] if header == "./" else header + item["text"]


def clean(text):
    return "".join(c if c.isprintable() else " " for c in text)


def plural(count, noun):
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size(count):
    for unit in ("bytes", "KB", "MB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:,.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} GB"


def duration(seconds):
    milliseconds = statistics.median(seconds) * 1000 if seconds else 0
    return f"{milliseconds:,.2f} ms"
