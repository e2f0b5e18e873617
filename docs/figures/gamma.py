#!/usr/bin/env python3
"""Draws gamma.svg: the filter weights that GPR-GNN learns on three cSBM graphs. Needs only the program:

    python3 docs/figures/gamma.py build/gprgnn docs/figures/gamma.svg
"""
import json
import subprocess
import sys

PANELS = [(-0.75, "heterophilic", "alternating: sharpens"), (0.0, "graph says nothing", "the features alone"),
          (0.75, "homophilic", "one sign: smooths")]
WIDTH, HEIGHT, GAP, TOP, BOTTOM = 260, 210, 30, 58, 40


def train(program, phi):
    out = subprocess.run([program, "train", f"csbm:phi={phi:g}", "--preset", "paper", "--json", "-", "-q"], check=True,
                         capture_output=True, text=True).stdout
    result = json.loads(out)
    gamma = result["gamma"]
    largest = max(gamma, key=abs)
    return [g / largest for g in gamma], result["test_accuracy"]


def panel(x0, phi, title, subtitle, gamma, accuracy):
    low, middle = TOP + HEIGHT, TOP + HEIGHT / 2
    step = WIDTH / len(gamma)
    parts = [f'<text x="{x0 + WIDTH / 2}" y="24" class="title">φ = {phi:g}, {title}</text>',
             f'<text x="{x0 + WIDTH / 2}" y="44" class="note">{subtitle}; test accuracy {accuracy:.1f} %</text>',
             f'<rect x="{x0}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>',
             f'<line x1="{x0}" y1="{middle}" x2="{x0 + WIDTH}" y2="{middle}" class="axis"/>']
    for k, g in enumerate(gamma):
        height = abs(g) * (HEIGHT / 2 - 8)
        y = middle - height if g > 0 else middle
        parts.append(f'<rect x="{x0 + k * step + 3:.1f}" y="{y:.1f}" width="{step - 6:.1f}" height="{height:.1f}" '
                     f'class="{"up" if g > 0 else "down"}"/>')
        parts.append(f'<text x="{x0 + (k + 0.5) * step:.1f}" y="{low + 18}" class="tick">{k}</text>')
    parts.append(f'<text x="{x0 + WIDTH / 2}" y="{low + 35}" class="note">hop k</text>')
    return parts


def main():
    program, path = sys.argv[1:3]
    total = len(PANELS) * WIDTH + (len(PANELS) + 1) * GAP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {TOP + HEIGHT + BOTTOM + 4}" '
             f'width="{total}">',
             "<style>text{font-family:Helvetica,Arial,sans-serif;fill:#222;text-anchor:middle}.title{font-size:15px;"
             "font-weight:bold}.note{font-size:12px;fill:#555}.tick{font-size:11px;fill:#555}"
             ".frame{fill:none;stroke:#ccc}"
             ".axis{stroke:#888}.up{fill:#2a6fbb}.down{fill:#d1603d}</style>",
             '<rect width="100%" height="100%" fill="#fff"/>']
    for i, (phi, title, subtitle) in enumerate(PANELS):
        gamma, accuracy = train(program, phi)
        parts += panel(GAP + i * (WIDTH + GAP), phi, title, subtitle, gamma, accuracy)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n</svg>\n")


main()
