"""What requests cost beside their ceilings, in thousands of instructions."""

import sys

from instructions import count

# The lengths of the lists, and how many times as much a request may cost in the longer one.
SIZES = (1_000, 20_000)
GROWTH = 2

# The number of requests that are counted, after the first few.
FEW = 4
SPAN = 20


class Report:
    def __init__(self, daemon):
        self.daemon = daemon
        self.costs = []
        self.wrong = []

    def each(self, begin, made):
        """Returns the thousands of instructions for a request."""
        few, all = (count(self.daemon, begin + made(n)) for n in (FEW, FEW + SPAN))
        return (all - few) * 1000 / SPAN

    def check(self, name, ceiling, begin, made):
        """Counts requests, which `made` returns by their number."""
        self._judge(name, ceiling, self.each(begin, made))

    def differ(self, name, ceiling, begin, made, others):
        """Counts what requests cost more than others."""
        self._judge(name, ceiling, self.each(begin, made) - self.each(begin, others))

    def compare(self, name, ceiling, begin, made, sizes=SIZES):
        """Counts requests in lists of both lengths; `begin` and `made` take the length first."""
        less, more = (self.each(begin(n), lambda count, n=n: made(n, count)) for n in sizes)
        self._judge(name, ceiling, more)
        self.costs[-1] += f" ({more / less:.1f})"
        if more > GROWTH * less:
            self.wrong.append(f"{name}: {more:.0f} is over {GROWTH} times {less:.0f} in a short list")

    def _judge(self, name, ceiling, cost):
        self.costs.append(f"{name} {cost:.0f}")
        if cost > ceiling:
            self.wrong.append(f"{name} takes {cost:.0f} thousand instructions, over {ceiling}")

    def end(self):
        print("thousands of instructions: " + ", ".join(self.costs))
        if self.wrong:
            sys.exit("\n".join(self.wrong))


def compare_all(daemon, ceilings, start, made):
    """Compares requests of each kind that has a ceiling. `start` takes a length and the kind, `made` the kind,
    a length and the number of requests."""
    report = Report(daemon)
    for name, ceiling in ceilings.items():
        report.compare(
            name,
            ceiling,
            lambda size, name=name: start(size, name),
            lambda size, count, name=name: made(name, size, count),
        )
    report.end()
