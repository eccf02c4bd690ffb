"""The benchmarks' pictures, by Matplotlib, which only they need: `make` installs it when a benchmark asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scripts.bench.attention import Curve

Bars = Sequence[tuple[str, float, str]]
"""Names, lengths, and what is written at the end of each bar."""
# Colour-blind safe (Okabe and Ito); every curve has a mark of its own as well.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
MARKS = ("o", "s", "^", "D")
INK, FAINT = "#21262E", "#DBDEE3"
# Inches at 100 pixels each: a panel of curves; a sheet of bars, a bar, and a group's title with the space around it.
PANEL, SHEET, BAR, TITLE = (9.0, 8.6), 15.0, 0.36, 0.75
DPI = 100


class PlottingError(RuntimeError):
    """Matplotlib is not installed."""


def check_installed() -> None:
    """Raises: PlottingError. Loads nothing, so that it can be asked before a benchmark runs for minutes."""
    if find_spec("matplotlib") is None:
        raise PlottingError("the picture needs Matplotlib, which is not installed; install it: make plots")


@contextmanager
def _figure(path: Path, width: float, height: float, heading: str) -> Iterator[Any]:
    """A figure of so many inches, written as a PNG when the block ends; a user's own style changes nothing."""
    from matplotlib import rc_context, rcParamsDefault
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # Its types are known only where it is installed.
    own: dict[Any, Any] = {"font.size": 14, "text.color": INK, "axes.edgecolor": INK, "axes.spines.top": False,
           "axes.spines.right": False, "svg.fonttype": "none"}  # fmt: skip
    with rc_context({**{k: v for k, v in rcParamsDefault.items() if not k.startswith("backend")}, **own}):
        figure: Any = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
        figure.get_layout_engine().set(w_pad=0.2, h_pad=0.2)
        figure.suptitle(heading, x=0.02, horizontalalignment="left", fontweight="bold")
        yield figure
        path.parent.mkdir(parents=True, exist_ok=True)
        canvas: Any = FigureCanvasAgg(figure)
        canvas.print_png(str(path))


def draw(
    path: Path,
    *panels: tuple[str, Sequence[Curve]],
    heading: str = "One multi-head attention, float64: median time of a forward pass",
) -> None:
    """Write the panels, each a title of its horizontal axis and its curves, side by side on logarithmic axes.

    Dotted lines rise with the size and with its square.
    """
    from matplotlib.ticker import LogLocator

    with _figure(path, PANEL[0] * len(panels), PANEL[1], heading) as figure:
        for (title, curves), axes in zip(panels, figure.subplots(1, len(panels), squeeze=False)[0], strict=True):
            for number, curve in enumerate(curves):
                axes.loglog(
                    curve.sizes, [1e3 * s for s in curve.seconds], label=curve.name, linewidth=2.5,
                    marker=MARKS[number % len(MARKS)], color=COLORS[number % len(COLORS)],
                )  # fmt: skip
            _guides(axes, curves)
            sizes = sorted({size for curve in curves for size in curve.sizes})
            axes.set_xticks(sizes, [str(size) for size in sizes])
            axes.minorticks_off()
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter("{x:g} ms")
            axes.grid(axis="y", color=FAINT)
            axes.set_xlabel(title, fontweight="bold")
            axes.legend(edgecolor="none", framealpha=1)


def _guides(axes: Any, curves: Sequence[Curve]) -> None:
    """Dotted lines through the lower left corner that rise as the size and as its square, within the curves' frame."""
    sizes = sorted({size for curve in curves for size in curve.sizes})
    limits, lowest = axes.get_ylim(), 1e3 * min(second for curve in curves for second in curve.seconds)
    for power in (1, 2):
        rises = [lowest * (size / sizes[0]) ** power for size in sizes]
        axes.loglog(sizes, rises, linestyle=":", color="#73777D", linewidth=1.5)
    axes.set_ylim(limits)


def draw_bars(path: Path, heading: str, groups: Sequence[tuple[str, Bars]]) -> None:
    """Write groups of bars, one below the other, each group with a scale of its own."""
    heights = [len(bars) * BAR + TITLE for _, bars in groups]
    with _figure(path, SHEET, sum(heights) + 0.8, heading) as figure:
        rows = figure.subplots(len(groups), 1, squeeze=False, height_ratios=heights)[:, 0]
        for (title, bars), axes in zip(groups, rows, strict=True):
            axes.set_title(title, loc="left", fontweight="bold", fontsize="medium")
            axes.set_xticks([])
            axes.spines[:].set_visible(False)
            axes.tick_params(length=0)
            # Room for what is written behind the longest bar.
            axes.set_xlim(0, 1.35 * (max((length for _, length, _ in bars), default=0) or 1))
            places = range(len(bars))
            colors = [COLORS[number % len(COLORS)] for number in places]
            drawn = axes.barh(places, [length for _, length, _ in bars], color=colors, height=0.75)
            axes.set_yticks(places, [name for name, _, _ in bars])
            axes.bar_label(drawn, [words for _, _, words in bars], padding=6)
            axes.invert_yaxis()
