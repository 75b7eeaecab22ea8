#!/usr/bin/env python3
"""The deal of Fives, `fives-deal/1`, a second time: Python's standard library only.

The service deals with Rust code. This file was written from the description below and not from that code, so that the two check each
other, and so that anybody who distrusts the house can deal a finished round again.

    commitment   = SHA-256(master)
                   master: 32 random bytes; the commitment is public before any entropy is accepted
    entropy(s)   = 0 to 32 bytes that the player of seat s added (nothing for a bot and for the creator's own seat); public
    seed(n)      = HMAC-SHA256(key = master,
                               "fives-deal/1" | u32(n) | for each seat: u8(length of its entropy) | its entropy)
                   n: the round, counted from 0
    commitment(n)= SHA-256(seed(n)), shown with the deal
    stream(n)    = HMAC-SHA256(key = seed(n), u64(0)) | HMAC-SHA256(key = seed(n), u64(1)) | ...
                   read as one u32 after another
    below(k)     = the next u32 x of the stream, passing over every x >= 2^32 - (2^32 mod k); then x mod k
                   (without passing over some, low numbers would come up a little too often)
    deck         = 0-0, 1-0, 1-1, 2-0, ... 6-6; for i = 27 down to 1: swap the tiles at i and at below(i + 1)
    deal         = seat s gets the s-th block of hand-size tiles; the rest is the boneyard, drawn from its front
    starter      = below(number of seats), from where the shuffle left the stream; only in rounds whose starter is drawn by lot
                   (the first one, and one that follows a blocked round)

`|` joins bytes; u8, u32 and u64 are unsigned and big-endian; tiles are written high-low. The seed of a round is revealed when the
round is over, the master when the match is.

    fives_deal.py VECTORS.json     deal every vector again; name the first difference and exit with 1, or say how many agree
    fives_deal.py --generate       print vectors.json anew

A vector has what goes in (`master`, `entropies`, `round`, `hand_size`, `random_starter`) and what must come out (`commitment`, `seed`,
`round_commitment`, `hands`, `boneyard`, `starter`). Bytes are hex, tiles stand in the order dealt, `starter` is null where none is drawn.
"""

import argparse
import hashlib
import hmac
import json
import struct
import sys

TILES = 28
ENTROPY_MAX = 32


def sha256(data):
    return hashlib.sha256(data).digest()


def hmac_sha256(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def round_seed(master, entropies, round_number):
    message = b"fives-deal/1" + struct.pack(">I", round_number)
    for entropy in entropies:
        message += struct.pack(">B", len(entropy)) + entropy
    return hmac_sha256(master, message)


class Stream:
    """The random numbers of one round, in order."""

    def __init__(self, seed):
        self._numbers = self._endless(seed)

    @staticmethod
    def _endless(seed):
        block = 0
        while True:
            yield from struct.unpack(">8I", hmac_sha256(seed, struct.pack(">Q", block)))
            block += 1

    def below(self, bound):
        limit = 2**32 - 2**32 % bound
        return next(number for number in self._numbers if number < limit) % bound


def deal(master, entropies, round_number, hand_size, random_starter):
    """What a vector says must come out, for what went in."""
    seats = len(entropies)
    if len(master) != 32:
        raise ValueError("a master has 32 bytes, not %d" % len(master))
    if not 2 <= seats <= 4:
        raise ValueError("2 to 4 seats, not %d" % seats)
    if any(len(entropy) > ENTROPY_MAX for entropy in entropies):
        raise ValueError("a seat adds at most %d bytes" % ENTROPY_MAX)
    if seats * hand_size > TILES:
        raise ValueError("%d hands of %d are more than %d tiles" % (seats, hand_size, TILES))

    seed = round_seed(master, entropies, round_number)
    stream = Stream(seed)
    deck = ["%d-%d" % (high, low) for high in range(7) for low in range(high + 1)]
    for last in range(TILES - 1, 0, -1):
        other = stream.below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    starts = range(0, seats * hand_size, hand_size)
    return {
        "commitment": sha256(master).hex(),
        "seed": seed.hex(),
        "round_commitment": sha256(seed).hex(),
        "hands": [deck[start : start + hand_size] for start in starts],
        "boneyard": deck[seats * hand_size :],
        "starter": stream.below(seats) if random_starter else None,
    }


INPUTS = ("master", "entropies", "round", "hand_size", "random_starter")
OUTPUTS = ("commitment", "seed", "round_commitment", "hands", "boneyard", "starter")


def vector(master, entropies, round_number, hand_size, random_starter):
    return {
        "master": master.hex(),
        "entropies": [entropy.hex() for entropy in entropies],
        "round": round_number,
        "hand_size": hand_size,
        "random_starter": random_starter,
        **deal(master, entropies, round_number, hand_size, random_starter),
    }


def generate():
    """The vectors: the one of the design, one with a number passed over, then every hand size with every round among 0, 1, 2 and 999."""
    yield vector(bytes(range(32)), [b"anna", b"", b"\xff" * 32], 2, 7, True)
    # One deal in some 25 million has a number that `below` must pass over; a search found this one, at below(19).
    yield vector(bytes(range(32)), [b"skip 134818406", b""], 0, 9, True)

    # Players x hand size under the hand rules 9-7-5, 7-5-5 and 5-5-5, each pair once.
    tables = [(2, 9), (2, 7), (2, 5), (3, 7), (3, 5), (4, 5)]
    entropy_lengths = (0, 1, 16, 32)
    for table, (seats, hand_size) in enumerate(tables):
        for turn, round_number in enumerate((0, 1, 2, 999)):
            name = b"vector %d/%d/%d" % (seats, hand_size, round_number)
            # Shifted by table, round and seat, so that every length meets every seat and an empty entropy is not always the last.
            lengths = [entropy_lengths[(table + turn + seat) % 4] for seat in range(seats)]
            entropies = [sha256(name + b" seat %d" % seat)[:length] for seat, length in enumerate(lengths)]
            random_starter = (table + turn) % 2 == 0
            yield vector(sha256(name), entropies, round_number, hand_size, random_starter)


def difference(index, expected):
    """The first thing that is wrong with a vector, as text, or None."""
    missing = [key for key in INPUTS + OUTPUTS if key not in expected]
    if missing:
        return "vector %d: no %s" % (index, missing[0])
    try:
        dealt = deal(
            bytes.fromhex(expected["master"]),
            [bytes.fromhex(entropy) for entropy in expected["entropies"]],
            expected["round"],
            expected["hand_size"],
            expected["random_starter"],
        )
    except ValueError as error:
        return "vector %d: %s" % (index, error)
    for key in OUTPUTS:
        if dealt[key] != expected[key]:
            return "vector %d: %s: the file says %s, dealt again it is %s" % (
                index,
                key,
                json.dumps(expected[key]),
                json.dumps(dealt[key]),
            )
    return None


def check(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    if not vectors:
        sys.exit("%s: no vectors" % path)
    for index, expected in enumerate(vectors):
        fault = difference(index, expected)
        if fault:
            sys.exit("%s: %s" % (path, fault))
    print("%s: %d vectors agree" % (path, len(vectors)))


def print_vectors():
    """A field a line: a changed tile shows as a changed line in review, and the file stays readable."""
    blocks = []
    for entry in generate():
        fields = ",\n".join("    %s: %s" % (json.dumps(key), json.dumps(value)) for key, value in entry.items())
        blocks.append("  {\n" + fields + "\n  }")
    print("[\n" + ",\n".join(blocks) + "\n]")


def main():
    description, _, _ = __doc__.partition("\n")
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("vectors", nargs="?", metavar="VECTORS.json", help="deal every vector of this file again")
    parser.add_argument("--generate", action="store_true", help="print vectors.json anew")
    arguments = parser.parse_args()
    if arguments.generate == (arguments.vectors is not None):
        parser.error("either a file or --generate")
    if arguments.generate:
        print_vectors()
    else:
        check(arguments.vectors)


if __name__ == "__main__":
    main()
