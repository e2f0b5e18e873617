"""Small SVG figures for notebooks: bars and curves. Text is escaped; colours suit light and dark pages."""
from __future__ import annotations

import html
import math
from typing import Optional, Sequence, Tuple

import numpy as np

WIDTH, HEIGHT = 360, 190
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 24, 30
COLOURS = ("#3b7dd8", "#d9772b", "#4a9a5b")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _ticks(low: float, high: float, count: int = 4) -> Sequence[float]:
    """Round numbers within [low, high]."""
    step = 10.0 ** math.floor(math.log10((high - low) / count))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= count)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def _range(values: np.ndarray, with_zero: bool) -> Tuple[float, float]:
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if with_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    margin = 0.05 * (high - low) or 0.5
    return (low if with_zero and low == 0 else low - margin), (high if with_zero and high == 0 else high + margin)


class _Figure:
    """Axes of data in a box of the page."""

    def __init__(self, title: str, x: Tuple[float, float], y: Tuple[float, float]) -> None:
        self.x, self.y = x, y
        self.parts = [f'<text x="{LEFT}" y="14" font-weight="bold">{html.escape(title)}</text>']

    def at(self, x: float, y: float) -> Tuple[float, float]:
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    def line(self, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>')

    def text(self, x: float, y: float, text: str, anchor: str = "middle", style: str = "") -> None:
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {style}>{html.escape(text)}</text>')

    def axes(self, x_label: str, whole_x: bool = True) -> None:
        for tick in _ticks(*self.y):
            _, y = self.at(self.x[0], tick)
            self.line(LEFT, y, WIDTH - RIGHT, y, 'stroke="currentColor" stroke-opacity="0.15"')
            self.text(LEFT - 5, y + 4, _number(tick), "end")
        for tick in _ticks(*self.x, count=6):
            if self.x[0] <= tick <= self.x[1] and (not whole_x or tick == round(tick)):
                self.text(self.at(tick, 0)[0], HEIGHT - BOTTOM + 13, _number(tick))
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 3, x_label)

    def svg(self, label: str) -> str:
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
                f'height="{HEIGHT}" role="img" aria-label="{html.escape(label, quote=True)}" font-family="sans-serif" '
                f'font-size="11" fill="currentColor">{"".join(self.parts)}</svg>')


def bars(values: Sequence[float], title: str, x_label: str) -> str:
    """One bar per value, from 0."""
    heights = np.asarray(values, dtype=float)
    figure = _Figure(title, (-0.6, len(heights) - 0.4), _range(heights, True))
    figure.axes(x_label)
    for i, value in enumerate(heights):
        if not math.isfinite(value):
            continue
        (left, top), (right, bottom) = figure.at(i - 0.38, max(value, 0)), figure.at(i + 0.38, min(value, 0))
        figure.parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
                            f'height="{max(bottom - top, 0.5):.1f}" fill="{COLOURS[0] if value >= 0 else COLOURS[1]}">'
                            f'<title>{i}: {value:.4g}</title></rect>')
    y = figure.at(0, 0)[1]
    figure.line(LEFT, y, WIDTH - RIGHT, y, 'stroke="currentColor" stroke-opacity="0.6"')
    return figure.svg(title)


def curves(series: Sequence[Tuple[str, np.ndarray]], title: str, x_label: str,
           mark: Optional[float] = None) -> str:
    """Lines over 0, 1, 2, ...; series: pairs of a name and its values; mark: where a vertical line is drawn."""
    drawn = [(name, np.asarray(values, dtype=float)) for name, values in series]
    drawn = [(name, values) for name, values in drawn if np.isfinite(values).any()]
    if not drawn:
        return ""
    length = max(len(values) for _, values in drawn)
    figure = _Figure(title, (0, max(length - 1, 1)), _range(np.concatenate([values for _, values in drawn]), False))
    figure.axes(x_label)
    if mark is not None:
        x = figure.at(mark, 0)[0]
        figure.line(x, TOP, x, HEIGHT - BOTTOM, 'stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="3 3"')
    for number, (name, values) in enumerate(drawn):
        colour = COLOURS[number % len(COLOURS)]
        step = max(1, len(values) // (WIDTH - LEFT - RIGHT))  # not more points than pixels
        points = " ".join("{:.1f},{:.1f}".format(*figure.at(i, values[i])) for i in range(0, len(values), step)
                          if math.isfinite(values[i]))
        figure.parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        figure.text(WIDTH - RIGHT - 42 * (len(drawn) - 1 - number), 14, name, "end", f'style="fill:{colour}"')
    return figure.svg(title)
