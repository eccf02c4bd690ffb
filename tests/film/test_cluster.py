"""Lessons on a Dask cluster of two workers on this machine, one of them killed in mid-render."""

import hashlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scenes.settings import load_settings
from scripts.studio.cluster import ClusterError, _put_in_place, run_on_cluster
from scripts.studio.pieces import Piece
from scripts.studio.render import RenderOptions, existing_film, stale_reasons
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.xdist_group("film"),
    # Dask's own, on its way out.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
_DIGEST = hashlib.sha256(b"film").hexdigest()
PIECES = [Piece("qkv"), Piece("clock")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip(
        "distributed", reason="NOT RUN: rendering on a cluster; pip install -r requirements-distributed.txt"
    )
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as local:
        yield local


def test_a_killed_workers_lesson_is_rendered_by_another_with_the_same_bytes(
    cluster: Any, film: Path, tmp_path: Path
) -> None:
    settings = load_settings().with_overrides(quality="320x180@5", out=tmp_path, language="en")
    killed: list[int] = []

    def writes_frames() -> bool:
        """On a worker: whether a film of its own is being written, so that it is in mid-lesson."""
        import psutil

        opened = (Path(file.path) for file in psutil.Process().open_files())
        return any(path.suffix == ".mp4" and path.stat().st_size > 48 for path in opened)

    def kill_one(client: Any) -> None:
        processes = client.run(os.getpid)
        wait_until(lambda: sum(map(bool, client.processing().values())) == 2, "two workers were never busy")
        chosen = next(address for address, keys in client.processing().items() if keys)
        wait_until(lambda: client.run(writes_frames, workers=[chosen])[chosen], "its lesson was never begun")
        killed.append(processes[chosen])
        os.kill(killed[0], signal.SIGKILL)

    outcome = run_on_cluster(cluster.scheduler_address, PIECES, settings, "en", RenderOptions(), kill_one)
    assert outcome.failures == [] and set(outcome.results) == {"qkv", "clock"}
    assert len(killed) == 1
    for piece in PIECES:
        assert stale_reasons(piece, settings, "en", RenderOptions()) == []
        found = existing_film(piece, settings, "en").path
        assert found.read_bytes() == (film / found.name).read_bytes()
    assert list(tmp_path.rglob(".work-*")) == []


def test_a_failing_lesson_is_named_and_stops_no_other(cluster: Any, tmp_path: Path) -> None:
    settings = load_settings().with_overrides(quality="128x72@2", out=tmp_path, language="en", sentence="my 🐱 sleeps")
    outcome = run_on_cluster(
        cluster.scheduler_address, [Piece("qkv"), Piece("closing")], settings, "en", RenderOptions()
    )
    assert any(f.name == "qkv" and "U+1F431" in f.message and f.log.is_file() for f in outcome.failures)


def test_what_comes_back_damaged_or_from_other_sources_is_refused(film: Path, tmp_path: Path) -> None:
    settings = load_settings().with_overrides(quality="320x180@5", out=tmp_path, language="en")
    at_home = load_settings().with_overrides(quality="320x180@5", out=film.parent.parent, language="en")
    told = existing_film(PIECES[0], at_home, "en").receipt["inputs"]
    result = {"files": {"qkv.mp4": b"film"}, "digests": {"qkv.mp4": "0"}, "inputs": told}
    with pytest.raises(ClusterError, match=r"damaged on the way \(qkv\.mp4\)"):
        _put_in_place(result, PIECES[0], settings, "en")
    other = {**told, "versions": {**told["versions"], "numpy": "1.0"}}
    with pytest.raises(
        ClusterError, match="the sources or versions of its worker differ from this machine's: versions"
    ):
        _put_in_place({**result, "digests": {"qkv.mp4": _DIGEST}, "inputs": other}, PIECES[0], settings, "en")
    assert not (tmp_path / "en").exists()


def test_no_scheduler_is_a_line(tmp_path: Path, run: Any) -> None:
    pytest.importorskip("distributed", reason="NOT RUN: rendering on a cluster")
    done = run(
        "render_lecture", "qkv", "--out", str(tmp_path), "--quality", "128x72@2", "--scheduler", "tcp://127.0.0.1:9"
    )
    assert done.returncode == 1
    assert "no Dask scheduler answers" in done.stderr.splitlines()[-1]


@pytest.fixture
def alone() -> Iterator[Any]:
    """A cluster without workers."""
    distributed = pytest.importorskip("distributed", reason="NOT RUN: rendering on a cluster")
    with distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as local:
        yield local


def test_a_scheduler_without_workers_is_said_and_given_up(alone: Any, tmp_path: Path, run: Any) -> None:
    address = alone.scheduler_address
    done = run("render_lecture", "qkv", "--out", str(tmp_path), "--quality", "128x72@2", "--voice", "silent",
               "--scheduler", address, "--patience", "7")  # fmt: skip
    assert done.returncode == 1
    start = f"start one with: dask worker {address}"
    assert done.stderr.splitlines() == [
        f"waiting for workers, {address} has none; {start}",
        f"{address} had no workers for 7 s; {start}",
    ]


def test_a_worker_that_comes_late_is_used(
    alone: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scripts.studio.cluster._SOON", 0.5)
    settings = load_settings().with_overrides(quality="128x72@2", out=tmp_path, language="en")
    later = threading.Timer(2.5, alone.scale, (1,))
    later.start()
    outcome = run_on_cluster(alone.scheduler_address, [Piece("closing")], settings, "en", RenderOptions(), patience=60)
    later.join()
    assert outcome.failures == [] and list(outcome.results) == ["closing"]
    assert "waiting for workers" in capsys.readouterr().err


def test_a_scheduler_that_is_lost_is_a_line(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="NOT RUN: rendering on a cluster")
    settings = load_settings().with_overrides(quality="128x72@2", out=tmp_path, language="en")
    with distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as local:
        address = local.scheduler_address
        with pytest.raises(ClusterError, match=f"lost the connection to {address}"):
            run_on_cluster(address, [Piece("closing")], settings, "en", RenderOptions(), lambda client: local.close())
