"""Worker processes: signals, deaths, and work that nobody waits for."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.programs import Pulse
from visavis.engine.native import Engine, Limits
from visavis.engine.pool import NICENESS, Pool, WorkerDied, stop_flag, workers
from visavis.rules import game
from visavis.rules.protocol import Seat


def think_forever(path: str) -> int:
    """Say that the work has begun, and search until told to stop."""
    with Path(path).open("w") as begun:
        print("begun", file=begun)
    chosen = game("elements")
    view = chosen.format_view(chosen.view(chosen.start(), Seat.FIRST))
    return Engine(chosen).think(view, Seat.FIRST, Limits(), stop=stop_flag()).nodes


def is_stopped() -> bool:
    return stop_flag().is_set()


def test_a_worker_leads_a_group_of_its_own_and_ignores_ctrl_c() -> None:
    with workers(1) as pool:
        pid = pool.submit(os.getpid).result()
        assert pool.submit(os.getpgrp).result() == pid
        os.kill(pid, signal.SIGINT)
        assert pool.submit(os.getpid).result() == pid


def test_programs_of_a_worker_hear_ctrl_c_again() -> None:
    """What a worker ignores its programs would ignore too, were it not undone."""
    with workers(1) as pool:
        ignored = "import signal; raise SystemExit(signal.getsignal(2) is signal.SIG_IGN)"
        assert pool.submit(subprocess.call, [sys.executable, "-c", ignored]).result() == 0
        held = "import signal; raise SystemExit(2 in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
        assert pool.submit(subprocess.call, [sys.executable, "-c", held]).result() == 0


def test_a_dead_worker_is_replaced() -> None:
    pool = Pool(1)
    try:
        first = pool.submit(os.getpid).result()
        with pytest.raises(WorkerDied):
            pool.submit(os.abort).result()
        assert pool.submit(os.getpid).result() != first
    finally:
        pool.stop()


def test_who_gave_the_work_is_told_of_a_death() -> None:
    with pytest.raises(ChildProcessError), workers(1) as pool:
        pool.submit(os.abort).result()


def test_work_that_nobody_waits_for_is_stopped(tmp_path: Path) -> None:
    pulse = Pulse(tmp_path / "begun")
    pool = Pool(1)
    try:
        future = pool.submit(think_forever, str(pulse.path))
        assert pulse.feels(select.POLLIN)
        pool.abandon(future)
        assert future.result() > 0
        assert not pool.submit(is_stopped).result()
    finally:
        pool.stop()
        os.close(pulse.end)


def test_work_is_stopped_that_has_not_begun() -> None:
    pool = Pool(1)
    try:
        future = pool.submit(is_stopped)  # the worker has yet to start
        pool.abandon(future)
        assert future.cancelled() or future.result()
    finally:
        pool.stop()


def test_nice_workers_are() -> None:
    pool = Pool(1, nice=True)
    try:
        assert pool.submit(os.nice, 0).result() == NICENESS
    finally:
        pool.stop()


HOLDER = """
import signal, sys
file = open(sys.argv[1], "w")
print("open", flush=True)
while True: signal.pause()
"""


def start_program(path: str) -> None:
    """Start a program that holds a pipe open, and forget it."""
    command = [sys.executable, "-c", HOLDER, path]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"open\n"


@pytest.mark.parametrize("end", ["stop", "death"])
def test_no_program_outlives_its_worker(end: str, tmp_path: Path) -> None:
    pulse = Pulse(tmp_path / "pulse")
    pool = Pool(1)
    try:
        pool.submit(start_program, str(pulse.path)).result()
        if end == "death":
            with pytest.raises(WorkerDied):
                pool.submit(os.abort).result()
            pool.submit(os.getpid).result()
        else:
            pool.stop()
        assert pulse.feels(select.POLLHUP)
    finally:
        pool.stop()
        os.close(pulse.end)


ORPHANED = """
import os, signal, sys
from tests.engine.test_pool import start_program
from visavis.engine.pool import Pool

if __name__ == "__main__":
    Pool(2).submit(start_program, sys.argv[1]).result()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_and_their_programs_do_not_outlive_who_gave_the_work(tmp_path: Path) -> None:
    pulse, script = Pulse(tmp_path / "pulse"), tmp_path / "orphaned.py"
    script.write_text(ORPHANED)
    root = str(Path(__file__).parents[2])
    ended = subprocess.run(
        [sys.executable, script, pulse.path], env={**os.environ, "PYTHONPATH": root}, timeout=60
    )
    assert ended.returncode == -signal.SIGKILL
    assert pulse.feels(select.POLLHUP)
    os.close(pulse.end)
