/* Figures as charts. A figure is drawn from its JSON (docs/report.md); its SVG lies beside it in a <template>. */
"use strict";

/* As the SVG has them (svg_series.c), and a lighter set for a dark page. */
const LIGHT = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#7a5195", "#56b4e9", "#b5893c", "#cc79a7", "#000000",
  "#6a8f2f"];
const DARK = ["#4aa8e0", "#f0b840", "#3cc79d", "#f0874a", "#b48ad6", "#8fd0f5", "#d6b06c", "#e2a3c6", "#e6eaf0",
  "#a6c96a"];
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 2]];
const MARKERS = ["circle", "rect", "triangle", "rectRot"];
const MOST_MARKERS = 40;

const isDark = () => document.documentElement.dataset.theme === "dark";
const cssColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isFaint = (series) => series.style === "faint";
const isNumber = (value) => typeof value === "number";

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/* The look of each series, by its position among those that are not faint (for bars: among all). */
function looks(figure) {
  const colors = isDark() ? DARK : LIGHT;
  let named = 0;
  return figure.series.map((series, position) => {
    const faint = isFaint(series);
    const index = figure.type === "bars" ? position : faint ? 0 : named++;
    return {
      color: faint ? (isDark() ? "#6b7684" : "#9aa3ad") : colors[index % colors.length],
      dash: faint ? [] : series.style === "dashed" ? DASHES[1]
        : DASHES[(index + Math.floor(index / colors.length)) % DASHES.length],
      marker: MARKERS[index % MARKERS.length],
      faint,
    };
  });
}

/* Where the numbers of a series lie: {x, y, lo, hi}. */
function pointsOf(series) {
  const area = series.errors === "area"; /* a band from 0 to the value */
  return (series.values || []).map((y, i) => ({
    x: series.x ? series.x[i] : i, y, lo: area ? 0 : series.lo ? series.lo[i] : null,
    hi: area ? y : series.hi ? series.hi[i] : null,
  }));
}

/* Draws bands below the data, error bars and marks above it. */
const intervals = {
  id: "intervals",
  beforeDatasetsDraw(chart) {
    const { ctx, chartArea: area, scales: { x, y } } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.width, area.height);
    ctx.clip();
    chart.data.datasets.forEach((set, i) => {
      if (!set.band || !chart.isDatasetVisible(i)) return;
      const known = set.points.filter((p) => isNumber(p.lo) && isNumber(p.hi));
      ctx.beginPath();
      known.forEach((p) => ctx.lineTo(x.getPixelForValue(p.x), y.getPixelForValue(p.hi)));
      known.reverse().forEach((p) => ctx.lineTo(x.getPixelForValue(p.x), y.getPixelForValue(p.lo)));
      ctx.closePath();
      ctx.globalAlpha = 0.18;
      ctx.fillStyle = set.borderColor;
      ctx.fill();
    });
    ctx.restore();
  },
  afterDatasetsDraw(chart) {
    const { ctx, chartArea: area, scales: { x, y } } = chart;
    ctx.save();
    chart.data.datasets.forEach((set, i) => {
      if (set.band || !chart.isDatasetVisible(i)) return;
      ctx.strokeStyle = set.type === "bar" ? cssColor("--text") : set.borderColor;
      ctx.lineWidth = 1.2;
      set.points.forEach((p, k) => {
        if (!isNumber(p.lo) || !isNumber(p.hi)) return;
        const at = chart.getDatasetMeta(i).data[k].x;
        const top = y.getPixelForValue(p.hi), bottom = y.getPixelForValue(p.lo);
        ctx.beginPath();
        ctx.moveTo(at, top);
        ctx.lineTo(at, bottom);
        for (const end of [top, bottom]) {
          ctx.moveTo(at - 3.5, end);
          ctx.lineTo(at + 3.5, end);
        }
        ctx.stroke();
      });
    });
    ctx.strokeStyle = ctx.fillStyle = cssColor("--soft");
    ctx.font = "12px system-ui, sans-serif";
    for (const mark of chart.config.options.marks || []) {
      const at = x.getPixelForValue(mark.x);
      if (!(at >= area.left && at <= area.right)) continue;
      ctx.setLineDash([3, 3]);
      ctx.beginPath();
      ctx.moveTo(at, area.top);
      ctx.lineTo(at, area.bottom);
      ctx.stroke();
      const right = at > area.left + area.width * 0.6;
      ctx.textAlign = right ? "right" : "left";
      ctx.fillText(mark.label || "", right ? at - 5 : at + 5, area.top + 12);
    }
    ctx.restore();
  },
};

function datasetsOf(figure) {
  const look = looks(figure);
  return figure.series.map((series, i) => {
    const points = pointsOf(series), { color, dash, marker, faint } = look[i];
    const common = { label: series.name || "", points, borderColor: color, faint, order: faint ? 1 : 0 };
    if (figure.type === "bars")
      return { ...common, type: "bar", data: points.map((p) => p.y), backgroundColor: color, borderWidth: 0, order: 0,
        categoryPercentage: 0.8, barPercentage: 0.92 };
    return { ...common, type: "line", data: points.map((p) => ({ x: p.x, y: p.y })), backgroundColor: color,
      borderWidth: faint ? 0.8 : 2, borderDash: dash, pointStyle: marker,
      band: series.errors === "band" || series.errors === "area",
      pointRadius: !faint && points.length <= MOST_MARKERS ? 3.5 : 0, pointHitRadius: faint ? 0 : 8,
      pointHoverRadius: faint ? 0 : 5, spanGaps: false, tension: 0, clip: 6 };
  });
}

function scaleOf(axis, isX, categories) {
  const soft = cssColor("--soft");
  const scale = {
    type: categories ? "category" : "linear",
    title: { display: Boolean(axis.label), text: axis.label || "", color: soft, font: { size: 12 } },
    ticks: { color: soft, font: { size: 11 }, maxRotation: 50, autoSkipPadding: 6,
      ...(isX ? { maxTicksLimit: 14, includeBounds: false } : {}) },
    grid: { color: cssColor("--line"), borderColor: soft, drawOnChartArea: !isX },
  };
  if (isNumber(axis.min)) scale.min = axis.min;
  if (isNumber(axis.max)) scale.max = axis.max;
  return scale;
}

/* What the pointer is shown: name, value and interval. */
function tooltipLine(item) {
  const point = item.dataset.points[item.dataIndex], name = item.dataset.label;
  const text = (name ? name + ": " : "") + shortNumber(point.y);
  return isNumber(point.lo) && isNumber(point.hi) && point.hi !== point.y
    ? text + "  (" + shortNumber(point.lo) + " to " + shortNumber(point.hi) + ")" : text;
}

function shortNumber(value) {
  if (!isNumber(value)) return "unknown";
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

function configurationOf(figure) {
  const x = { ...figure.x }, y = { ...figure.y };
  const categories = figure.type === "bars" || x.categories
    ? (x.categories || (figure.series[0].values || []).map((_, i) => String(i))) : null;
  const all = figure.series.flatMap(pointsOf);
  if (!categories) {
    const known = all.map((p) => p.x).filter(isNumber);
    if (!isNumber(x.min) && known.length) x.min = Math.min(...known);
    if (!isNumber(x.max) && known.length) x.max = Math.max(...known);
  }
  const frames = figure.frames ? figure.frames.values.flat() : []; /* one axis for all, so that bars can be compared */
  const ends = all.flatMap((p) => [p.y, p.lo, p.hi]).concat(frames).filter(isNumber);
  const scaleY = scaleOf(y, false, null);
  if (ends.length) Object.assign(scaleY, { suggestedMin: Math.min(...ends), suggestedMax: Math.max(...ends) });
  return {
    type: figure.type === "bars" ? "bar" : "line",
    data: { labels: categories ? categories.map((text) => text.split("\n")) : undefined, datasets: datasetsOf(figure) },
    plugins: [intervals],
    options: {
      responsive: true, maintainAspectRatio: false, animation: false, marks: figure.marks,
      interaction: { mode: figure.type === "bars" ? "index" : "nearest", axis: "x", intersect: false },
      scales: { x: scaleOf(x, true, categories), y: scaleY },
      plugins: {
        legend: { display: false },
        tooltip: {
          filter: (item) => !item.dataset.faint || figure.type === "bars",
          callbacks: {
            title: (items) => items.length
              ? (categories ? categories[items[0].dataIndex].replace("\n", ", ")
                : (x.label || "").split("  ")[0] + " " + shortNumber(items[0].parsed.x)) : "",
            label: tooltipLine,
          },
        },
      },
    },
  };
}

/* ---- Legend: our own, as the canvas's cannot break lines on a phone ---- */

function sampleOf(figure, look) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const shape = document.createElementNS(svg.namespaceURI, figure.type === "bars" ? "rect" : "path");
  svg.setAttribute("width", figure.type === "bars" ? 12 : 26);
  svg.setAttribute("height", 12);
  if (figure.type === "bars") {
    shape.setAttribute("width", 12);
    shape.setAttribute("height", 12);
    shape.setAttribute("rx", 2);
    shape.setAttribute("fill", look.color);
  } else {
    shape.setAttribute("d", "M0 6H26");
    shape.setAttribute("stroke", look.color);
    shape.setAttribute("stroke-width", 2.4);
    shape.setAttribute("stroke-dasharray", look.dash.join(" "));
  }
  svg.append(shape);
  return svg;
}

function fillLegend(list, figure, chart) {
  list.replaceChildren();
  const look = looks(figure);
  if (figure.series.filter((series) => series.name).length < 2) return;
  figure.series.forEach((series, i) => {
    if (!series.name) return;
    const item = element("li"), button = element("button");
    button.type = "button";
    button.setAttribute("aria-pressed", String(chart.isDatasetVisible(i)));
    button.append(sampleOf(figure, look[i]), element("span", "", series.name));
    button.addEventListener("click", () => {
      chart.setDatasetVisibility(i, !chart.isDatasetVisible(i));
      chart.update();
      button.setAttribute("aria-pressed", String(chart.isDatasetVisible(i)));
    });
    item.append(button);
    list.append(item);
  });
}

/* ---- A figure with frames: one set of values per moment, chosen by a slider ---- */

function sliderOf(figure, chart) {
  const frames = figure.frames, box = element("div", "slider");
  const play = element("button", "tool", "▶"), input = element("input"), output = element("output");
  play.type = "button";
  play.setAttribute("aria-label", "Play");
  input.type = "range";
  input.min = 0;
  input.max = frames.values.length - 1;
  input.value = isNumber(frames.start) ? frames.start : input.max;
  input.setAttribute("aria-label", frames.label || "moment");
  const show = () => {
    const at = Number(input.value);
    output.textContent = (frames.label || "") + " " + frames.at[at];
    chart.data.datasets[0].data = frames.values[at];
    chart.data.datasets[0].points = pointsOf({ values: frames.values[at] });
    chart.update();
  };
  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "▶";
  };
  input.addEventListener("input", () => {
    stop();
    show();
  });
  play.addEventListener("click", () => {
    if (timer) return stop();
    if (input.value === input.max) input.value = 0;
    play.textContent = "❚❚";
    timer = setInterval(() => {
      input.value = Number(input.value) + 1;
      show();
      if (input.value === input.max) stop();
    }, Math.max(20, 6000 / frames.values.length));
  });
  box.append(play, input, output);
  show();
  return box;
}

/* Draws the figure into its place; the result is drawn again when the colours change. */
function chartInto(place, figure) {
  const legend = element("ul", "legend"), box = element("div", "canvas"), canvas = element("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", figure.title || "chart");
  box.append(canvas);
  place.append(legend, box);
  const chart = new Chart(canvas, configurationOf(figure));
  fillLegend(legend, figure, chart);
  if (figure.frames) place.append(sliderOf(figure, chart));
  return () => {
    const fresh = configurationOf(figure);
    chart.data.datasets.forEach((set, i) => Object.assign(set, {
      borderColor: fresh.data.datasets[i].borderColor, backgroundColor: fresh.data.datasets[i].backgroundColor }));
    chart.options.scales = fresh.options.scales;
    chart.update();
    fillLegend(legend, figure, chart);
  };
}
