#!/usr/bin/env python3
"""Opens carts at a socket of `willcall serve`: python3 orders.py SOCKET COUNT. A line is sent again by its id until it is
answered, so each is done once, also when the door dies in between."""
import json, socket, sys, time

path, count = sys.argv[1], int(sys.argv[2])


def connect():
    for _ in range(600):
        try:
            to = socket.socket(socket.AF_UNIX)
            to.connect(path)
            return to.makefile("rw")
        except OSError:  # it starts again
            time.sleep(0.05)
    sys.exit("nobody serves at " + path)


door, carts = connect(), set()
for number in range(count):
    line = json.dumps({"id": f"order {number}", "do": {"open_cart": {}}})
    answer = {"fault": None}
    while "fault" in answer:
        try:
            print(line, file=door, flush=True)
            answer = json.loads(door.readline())
        except (OSError, ValueError):  # it died, or its answer was cut off
            door = connect()
    carts.add(answer["done"]["id"])
print(len(carts))
