"""What requests cost beside their ceilings, in thousands of instructions."""

import sys

from instructions import count

# The lengths of the lists, and how many times as much a request may cost in the longer one.
SIZES = (1_000, 20_000)
GROWTH = 2

# The number of requests that are counted, after the first few.
FEW = 4
SPAN = 20

# How often a cost over its ceiling is counted. The daemon's threads take turns differently in each run, which
# adds up to two million instructions to a session once in a few hundred runs.
TRIES = 3


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
        self._judge(name, lambda: (self.each(begin, made),), ceiling)

    def compare(self, name, ceiling, begin, made):
        """Counts requests in lists of both lengths; `begin` and `made` take the length first."""

        def costs():
            return [self.each(begin(n), lambda count, n=n: made(n, count)) for n in reversed(SIZES)]

        self._judge(name, costs, ceiling)

    def _judge(self, name, costs, ceiling):
        for _ in range(TRIES):
            wrong = []
            cost, *shorter = costs()
            if cost > ceiling:
                wrong.append(f"{name} takes {cost:.0f} thousand instructions, over {ceiling}")
            if any(cost > GROWTH * less for less in shorter):
                wrong.append(f"{name}: {cost:.0f} is over {GROWTH} times {shorter[0]:.0f} in a short list")
            if not wrong:
                break
        self.wrong += wrong
        self.costs.append(" ".join([f"{name} {cost:.0f}", *(f"({cost / less:.1f})" for less in shorter)]))

    def end(self):
        print("thousands of instructions: " + ", ".join(self.costs))
        if self.wrong:
            sys.exit("\n".join(self.wrong))
