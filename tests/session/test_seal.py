"""Sealed randomness, against values made with other tools."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from visavis.rules.protocol import Roll, Seat
from visavis.session.errors import BadSeed
from visavis.session.seal import check_seed, promise, roll_face, seal, thinking_seed

SEED = bytes(range(32))


def test_promise_is_sha256_of_the_seed() -> None:
    # printf 000102…1f | xxd -r -p | sha256sum
    assert promise(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_seal_is_sha256_of_nonce_and_text() -> None:
    nonce = hmac.new(SEED, b"move12", hashlib.sha256).digest()
    assert seal(SEED, 12, "い↑B3") == hashlib.sha256(nonce + "い↑B3".encode()).hexdigest()


def test_roll_is_the_hmac_modulo_the_weights() -> None:
    digest = hmac.new(SEED, b"roll3", hashlib.sha256).hexdigest()
    faces = (("a", 1), ("b", 2), ("c", 4))
    wanted = "abbcccc"[int(digest, 16) % 7]
    assert roll_face(SEED, 3, Roll(faces)) == wanted


def test_rolls_are_fair() -> None:
    roll = Roll((("a", 1), ("b", 2), ("c", 5)))
    shown = Counter(roll_face(SEED, n, roll) for n in range(8_000))
    assert all(abs(shown[face] - weight * 1_000) < 150 for face, weight in roll.faces)


def test_a_thought_starts_from_the_hmac_of_its_number_and_seat() -> None:
    # printf 'think12 second' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f
    assert thinking_seed(SEED, 12, Seat.SECOND) == 0x2DDF4D4AD5C4A3A3


def test_no_two_thoughts_start_alike() -> None:
    seeds = [thinking_seed(SEED, number, seat) for number in range(1_000) for seat in Seat]
    assert len(set(seeds)) == len(seeds)
    assert max(seeds) < 2**64


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_size_of_seeds(size: int) -> None:
    with pytest.raises(BadSeed, match=str(size)):
        check_seed(bytes(size))
