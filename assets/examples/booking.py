#!/usr/bin/env python3
"""Books a room by `willcall serve`: python3 booking.py HOUSE ROOM BEGIN END ID, times as 2030-12-02T10:05Z."""
import json, subprocess, sys

house, room, begin, end, own_id = sys.argv[1:]
door = subprocess.Popen(
    ["willcall", "--db", house, "--operator", "shop", "serve"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say(**line):
    print(json.dumps(line), file=door.stdin, flush=True)
    answer = json.loads(door.stdout.readline())
    if "fault" in answer:  # not known whether it was done: the same line again finds out
        return say(**line)
    return answer


def is_available(begin, end):
    wanted = {"from": begin, "until": end}
    return say(ask={"read_check": {"resource": room, "wanted": wanted}})["done"]["free"]


def reserve(own_id, begin, end):
    want = {"of": [room], "slot": {"from": begin, "until": end}}
    return say(id=own_id, do={"book_slot": {"wants": [want], "details": {"title": own_id}}})


print("available" if is_available(begin, end) else "taken")
answer = reserve(own_id, begin, end)
print(answer["done"]["id"] if "done" in answer else answer["refused"]["problem"])
door.stdin.close()
