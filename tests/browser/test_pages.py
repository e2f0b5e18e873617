#!/usr/bin/env python3
"""Opens report.html of many trainings in chromium: test_pages.py PROGRAM [SCREENSHOTS]

Each page must load without an error, a warning or a request; all charts must have drawn; nothing may be wider than a
phone; the colours must change; the slider must change the bars; and names from strangers' files must do nothing. With
SCREENSHOTS, a folder, it keeps pictures there. Status 77: there is no chromium, and nothing was tested.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from chromium import Chromium, find

PHONE = {"width": 390, "height": 844, "phone": True}
EVIL = "</script><script>document.title='broken'</script>"
IMAGE = "<img src=x onerror=\"document.title='broken'\">"
SMALL = "csbm:n=200,f=16,phi=-0.5,seed=3"
MODELS = ["gprgnn", "appnp", "sgc", "mlp", "gcn", "gat", "sage", "jknet", "cheby", "geomgcn"]

# For each chart: how many of its points are not the background.
DRAWN = """[...document.querySelectorAll("canvas")].map((canvas) => {
  const points = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let drawn = 0;
  for (let i = 3; i < points.length; i += 4) drawn += points[i] > 0;
  return drawn;
})"""
# Elements that reach beyond the right edge of the screen and are not in a box of their own that scrolls.
TOO_WIDE = """[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1
  && !e.closest(".scroll") && !e.closest(".contents") && !e.closest("svg")).map((e) => e.tagName + "." + e.className)"""


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(word) for word in what))


class Tests:
    def __init__(self, program, scratch, browser, shots):
        self.program, self.scratch, self.browser, self.shots = program, scratch, browser, shots
        self.charts = b"v3." in open(self.page("first", "train", SMALL, "--epochs", "3"), "rb").read()

    def page(self, name, *words):
        """The page of a training."""
        folder = os.path.join(self.scratch, name)
        own = {name: value for name, value in os.environ.items() if name != "GPRGNN_DATA"}  # data of the tests alone
        done = subprocess.run([self.program, *words, "-q", "--out", folder], capture_output=True, cwd=self.scratch,
                              env=own)
        check(done.returncode == 0, words, done.stderr)
        return os.path.join(folder, "report.html")

    def shoot(self, page, name):
        if self.shots:
            page.screenshot(os.path.join(self.shots, name + ".png"))

    def check_page(self, path, name, figures):
        """What holds for every page. figures: the ids that it must have."""
        page = self.browser.open(path)
        check(page.problems() == [], name, page.problems())
        for figure in figures:
            check(page.run("document.getElementById('figure-%s') !== null" % figure), name, "lacks", figure)
        drawn = page.run(DRAWN)
        check(len(drawn) >= 2 if self.charts else drawn == [], name, "charts:", drawn)
        check(all(points > 500 for points in drawn), name, "a chart is blank:", drawn)
        check(page.run("document.title") != "broken" and page.run("document.querySelectorAll('main img').length") == 0,
              name, "a name became a part of the page")
        nav = page.run("(({scrollWidth, clientWidth, clientHeight}) => [scrollWidth, clientWidth, clientHeight])"
                       "(document.getElementById('contents'))")
        check(nav[0] <= nav[1] and nav[2] < 70, name, "the navigation does not fit a line of 1200 pixels:", nav)
        check(page.run("document.querySelector('main section .block').firstChild.className.includes('headline')"), name,
              "the headline is not the first")
        self.shoot(page, name)
        page.close()
        page = self.browser.open(path, **PHONE)
        check(page.run("document.documentElement.scrollWidth") <= 390, name, "is too wide:", page.run(TOO_WIDE))
        check(page.run(TOO_WIDE) == [], name, "is too wide:", page.run(TOO_WIDE))
        self.shoot(page, name + "-phone")
        page.close()

    def test_every_model(self):
        for model in MODELS:
            path = self.page(model, "train", SMALL, "--model", model, "--epochs", "12")
            expected = ["loss", "accuracy", "confusion", "accuracy-by-degree", "accuracy-by-homophily"]
            if model in ("gprgnn", "appnp", "sgc"):
                expected += ["gamma", "response", "spectrum"]
            self.check_page(path, model, expected)

    def test_many_runs(self):
        path = self.page("many", "train", SMALL, "--runs", "100", "--epochs", "40", "--hidden", "4")
        self.check_page(path, "many", ["loss", "gamma"])
        page = self.browser.open(path)
        check("±" in page.run("document.querySelector('.headline').textContent"), "the mean has no interval")
        rows = "[...document.querySelectorAll('#section-runs tbody tr')].map((row) => Number(row.cells[2].textContent))"
        before = page.run(rows)
        check(len(before) == 100, "runs:", len(before))
        page.run("document.querySelectorAll('#section-runs th button')[2].click()")
        check(page.run(rows) == sorted(before, reverse=True), "the column is not sorted")
        page.close()

    def test_hostile_names(self):
        classes = [EVIL, IMAGE, "\u202eleft'\"&amp;", "x" * 300]
        with open(os.path.join(self.scratch, "nodes.csv"), "w", encoding="utf-8") as file:
            file.write("id,a,b,kind\n")
            for i in range(120):
                kind = classes[i % 4].replace('"', '""')
                file.write('"n""%d<b>",%d,%d,"%s"\n' % (i, i % 4, i % 7, kind))
        with open(os.path.join(self.scratch, "edges.csv"), "w", encoding="utf-8") as file:
            file.write("from,to\n")
            for i in range(120):
                file.write('"n""%d<b>","n""%d<b>"\n' % (i, (i * 7 + 4) % 120))
        path = self.page("evil", "train", "--edges", "edges.csv", "--nodes", "nodes.csv", "--label", "kind", "--epochs",
                         "20")
        self.check_page(path, "evil", ["confusion"])
        page = self.browser.open(path)
        shown = page.run("[...document.querySelectorAll('table.heat tbody th')].map((cell) => cell.textContent)")
        check(EVIL in shown and IMAGE in shown, "the names are not shown as they are:", shown)
        page.close()

    def test_dark_and_light(self):
        path = os.path.join(self.scratch, "first", "report.html")
        background = "getComputedStyle(document.body).backgroundColor"
        line = "getComputedStyle(document.querySelector('.legend path')).stroke"
        light, dark = self.browser.open(path), self.browser.open(path, dark=True)
        check(light.run(background) != dark.run(background), "the system's choice has no effect")
        self.shoot(dark, "first-dark")
        before = light.run(line) if self.charts else None
        light.run("document.getElementById('theme').click()")
        check(light.run(background) == dark.run(background), "the button has no effect")
        check(not self.charts or light.run(line) != before, "charts keep their colours")
        check(light.problems() == [] and dark.problems() == [], light.problems(), dark.problems())
        light.run("localStorage.clear()")
        light.close()
        dark.close()

    def test_print(self):
        page = self.browser.open(os.path.join(self.scratch, "first", "report.html"))
        page.call("Emulation.setEmulatedMedia", media="print")
        shown = "[...document.querySelectorAll('%s')].every((e) => getComputedStyle(e).display === '%s')"
        check(page.run(shown % (".vector", "block")), "the print lacks the SVG figures")
        check(page.run(shown % (".canvas, .figure .scroll", "none")), "the print has the charts, too")
        pdf = page.pdf()
        check(pdf[:4] == b"%PDF" and len(pdf) > 20000, "the print is empty")
        page.close()

    def test_without_the_library(self):
        """As built without Chart.js: the SVG figures are shown."""
        path = os.path.join(self.scratch, "without.html")
        with open(os.path.join(self.scratch, "first", "report.html"), encoding="utf-8") as file:
            text = file.read()
        begin = text.find("/*!\n * Chart.js")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if begin < 0 else text[:begin] + text[text.index("</script>", begin):])
        page = self.browser.open(path)
        check(page.problems() == [], page.problems())
        shown = page.run("[...document.querySelectorAll('.still .vector svg')].map((e) => "
                         "e.getBoundingClientRect().height)")
        check(len(shown) >= 4 and min(shown) > 100, "figures:", shown)
        self.shoot(page, "without")
        page.close()

    def test_slider(self):
        if not self.charts:
            return
        page = self.browser.open(self.page("kept", "train", SMALL, "--epochs", "300", "--lr", "0.1"))
        with open(os.path.join(self.scratch, "kept", "result.json"), encoding="utf-8") as file:
            result = json.load(file)
        check(result["best_epoch"] < result["epochs"], "the last epoch was kept")
        chart = "Chart.getChart(document.querySelector('#figure-gamma-history canvas'))"
        bars = f"JSON.stringify({chart}.data.datasets[0].data)"
        check(page.run("document.querySelector('#figure-gamma-history input') !== null"), "there is no slider")
        last = page.run(bars)
        check("epoch %d" % result["best_epoch"] == page.run("document.querySelector('#figure-gamma-history "
                                                            "output').textContent"),
              "the slider does not open at the kept epoch")
        check(all(abs(a - b) < 1e-3 * abs(b) for a, b in zip(json.loads(last), result["gamma"])), "kept weights:", last)
        page.run("(() => { const slider = document.querySelector('#figure-gamma-history input'); slider.value = 0;"
                 " slider.dispatchEvent(new Event('input')); })()")
        first = page.run(bars)
        check(first != last, "the slider does not change the bars")
        check(abs(json.loads(first)[0] - 0.1) < 1e-6, "the first bars are not the initial weights:", first)
        check("epoch 0" in page.run("document.querySelector('#figure-gamma-history output').textContent"), "no epoch")
        page.close()

    def test_paper(self):
        """The page of `gprgnn paper`, on a small graph that has the name of one of the paper's."""
        data = os.path.join(self.scratch, "data")
        os.makedirs(data)
        made = subprocess.run([self.program, "generate", "csbm", "--phi", "-0.5", "--n", "200", "--f", "20", "-o",
                               os.path.join(data, "texas.npz")], capture_output=True)
        check(made.returncode == 0, made.stderr)
        path = self.page("paper", "paper", "table-real", "table-oversmoothing", "figures", "table-datasets",
                         "--datasets",
                         "texas", "--runs", "3", "--epochs", "40", "--data-dir", data)
        self.check_page(path, "paper", ["gamma-texas", "delta-texas", "dynamics-texas"])
        page = self.browser.open(path)
        pills = page.run("[...document.querySelectorAll('#section-table-real .pill')].map((pill) => pill.className)")
        check(len(pills) >= 10, "coloured verdicts:", pills)
        page.close()
        for name in ("gamma-texas.svg", "dynamics-texas.svg"):
            check(os.path.exists(os.path.join(self.scratch, "paper", "figures", name)), "there is no", name)

    def test_svg_files(self):
        folder = os.path.join(self.scratch, "svg")
        done = subprocess.run([self.program, "report", os.path.join(self.scratch, "many"), "--svg", folder, "-q"],
                              capture_output=True)
        check(done.returncode == 0, done.stderr)
        names = sorted(os.listdir(folder))
        check("gamma.svg" in names and "loss.svg" in names, names)
        for name in names:
            page = self.browser.open(os.path.join(folder, name))
            check(page.problems() == [], name, page.problems())
            check(page.run("document.querySelector('parsererror') === null"), name, "is no XML")
            outside = page.run("""(() => { const svg = document.documentElement, box = svg.viewBox.baseVal;
              return [...svg.querySelectorAll("text")].filter((e) => { const at = e.getBoundingClientRect();
                return at.left < -1 || at.top < -1 || at.right > box.width + 1 || at.bottom > box.height + 1; })
                .map((e) => e.textContent); })()""")
            check(outside == [], name, "has text outside of its frame:", outside)
            page.close()


def main():
    program, shots = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
    if not find():
        print("skipped: there is no chromium (Debian: chromium)")
        return 77
    if shots:
        os.makedirs(shots, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, Chromium() as browser:
        tests = Tests(program, scratch, browser, shots)
        failures = 0
        for name in [name for name in dir(tests) if name.startswith("test_")]:
            try:
                getattr(tests, name)()
                print("ok     ", name)
            except AssertionError as failure:
                failures += 1
                print("FAILED ", name + ":", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
