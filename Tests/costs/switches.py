#!/usr/bin/env python3
"""Counts how often the threads of the daemon wait if many requests are sent without waiting for answers.

usage: switches.py DAEMON

How often threads meet depends on what else the machine does: from 20 to 500 times were counted. If the thread that
reads is woken for each request, it waits as often as there are requests.
"""

# Promise: Requests that are sent without waiting are read without waking a thread for each.

import os
import subprocess
import sys
import tempfile

from instructions import item, request

REQUESTS = 20_000
CEILING = REQUESTS // 10


def main():
    with tempfile.TemporaryFile() as input:
        for number in range(REQUESTS):
            params = {"list": "a", "items": [item(0, number)]}
            input.write(request(number, "applySnapshot", params))
        input.seek(0)
        process = subprocess.Popen([sys.argv[1]], stdin=input, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"the daemon has ended with {status}")
    print(f"{used.ru_nvcsw} waits for {REQUESTS:,} requests")
    if used.ru_nvcsw > CEILING:
        sys.exit(f"the threads wait {used.ru_nvcsw} times, over {CEILING:,}")


if __name__ == "__main__":
    main()
