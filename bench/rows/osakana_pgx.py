"""Osakana: random play of the native kernel, one thread, against pgx, all threads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

from bench.measure import Row, Work, rate
from bench.rows.osakana_rules import native_plies
from visavis._core import Kernel

BATCHES = (16, 64, 256, 1024)
PLIES_A_CALL = 16_384
"""Plies that one call of the compiled loop plays, over the whole batch."""


def random_play(batch: int) -> Work:
    """Random play of so many games side by side, compiled as one loop; finished ones restart."""
    env = pgx.make("animal_shogi")
    step = jax.vmap(auto_reset(env.step, env.init))

    def ply(state: pgx.State, key: jax.Array) -> tuple[pgx.State, None]:
        choose, restart = jax.random.split(key)
        chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choose, chances, axis=-1)
        return step(state, actions, jax.random.split(restart, batch)), None

    def play(state: pgx.State, key: jax.Array) -> pgx.State:
        return jax.lax.scan(ply, state, jax.random.split(key, PLIES_A_CALL // batch))[0]

    compiled = jax.jit(play, donate_argnums=0)
    keys = map(jax.random.key, count())
    state = jax.jit(jax.vmap(env.init))(jax.random.split(next(keys), batch))

    def work() -> int:
        nonlocal state
        state = jax.block_until_ready(compiled(state, next(keys)))
        return PLIES_A_CALL

    work()
    return work


def rows() -> Iterator[Row]:
    kernel, seeds = Kernel("osakana", []), count()
    rates = {batch: (rate(work, 1.0), work) for batch in BATCHES for work in [random_play(batch)]}
    best = max(rates, key=lambda batch: rates[batch][0])
    tried = ", ".join(f"{batch} {speed:,.0f}" for batch, (speed, _) in rates.items())
    yield Row(
        what="osakana random play, 1 thread",
        unit="plies",
        ours=lambda: native_plies(kernel, next(seeds)),
        peer=f"pgx animal_shogi × {best}",
        theirs=rates[best][1],
        promise=80,
        note=f"pgx: jit, vmap, auto_reset; the best of these batches by a trial: {tried}. "
        "Its animal_shogi has no moves into check, scores the try at once and stops at 256 plies.",
    )
