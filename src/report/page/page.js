/* Draws the whole page from the JSON in it. All texts go in as text: names come from strangers' files. */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const redraws = [];

/* ---- Blocks ---- */

function headlineBlock(block) {
  const card = element("div", "card headline"), left = element("div"), number = element("div", "number", block.value);
  if (block.plus_minus !== undefined) number.append(element("small", "", " ± " + block.plus_minus));
  if (block.unit) number.append(element("small", "", " " + block.unit));
  left.append(element("div", "label", block.label), number);
  card.append(left);
  const right = element("div", "words");
  if (block.text) right.append(element("p", "", block.text));
  if (block.note) right.append(element("p", "caption", block.note));
  if (right.firstChild) card.append(right);
  return card;
}

function factsBlock(block) {
  const card = element("div", "card"), list = element("dl", "facts");
  if (block.title) card.append(element("h3", "", block.title));
  for (const item of block.items || []) {
    const box = element("div"), value = element("dd", String(item.value).length > 18 ? "long" : "", item.value);
    box.append(element("dt", "", item.label), value);
    if (item.note) box.append(element("div", "note", item.note));
    list.append(box);
  }
  card.append(list);
  return card;
}

function notesBlock(block) {
  if (!(block.items || []).length) return null;
  const list = element("ul", "notes");
  for (const item of block.items) list.append(element("li", item.level === "error" ? "error" : item.level === "warning"
    ? "warning" : "", item.text));
  return list;
}

function textBlock(block) {
  return element("p", "statement", block.text);
}

function codeBlock(block) {
  const card = element("div", "card"), line = element("div", "code"), copy = element("button", "tool", "Copy");
  copy.type = "button";
  copy.addEventListener("click", () => {
    navigator.clipboard.writeText(block.text).then(() => { copy.textContent = "Copied"; }, () => {
      getSelection().selectAllChildren(line.firstChild);
    });
  });
  if (block.title) card.append(element("h3", "", block.title));
  line.append(element("pre", "", block.text), copy);
  card.append(line);
  if (block.caption) card.append(element("p", "caption", block.caption));
  return card;
}

/* ---- Tables ---- */

const VERDICTS = ["good", "near", "bad", "none"];

/* Short texts are not broken into lines, long ones at any letter. */
function cellOf(cell, kind) {
  const text = cell !== null && typeof cell === "object" ? cell.text : cell;
  const usual = String(text === null || text === undefined ? "" : text).length > 24 ? "wide" : "word";
  const made = element("td", ["number", "long", "word"].includes(kind) ? kind : usual);
  if (cell === null || cell === undefined) return made;
  if (typeof cell !== "object") {
    made.textContent = cell;
    return made;
  }
  const verdict = VERDICTS.includes(cell.verdict) ? cell.verdict : "";
  made.append(element("span", (verdict ? "pill " + verdict : "") + (cell.strong ? " strong" : ""), cell.text));
  if (cell.note) made.append(element("span", "small", cell.note));
  return made;
}

/* Numbers by their value, also those that follow a sign such as a star; texts by their letters. */
function sortKey(row, column) {
  const text = row.cells[column].textContent, number = /-?\d[\d,]*(\.\d+)?(e[-+]?\d+)?/i.exec(text);
  return number ? Number(number[0].replace(/,/g, "")) : text;
}

function sortBy(body, column, down) {
  const rows = [...body.rows];
  rows.sort((a, b) => {
    const x = sortKey(a, column), y = sortKey(b, column);
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
    return down ? -order : order;
  });
  body.append(...rows);
}

function tableBlock(block) {
  const card = element("div", "card"), scroll = element("div", "scroll"), table = element("table");
  const head = element("thead"), names = element("tr"), body = element("tbody");
  const columns = block.columns || [];
  let sorted = null;
  columns.forEach((column, i) => {
    const cell = element("th", column.kind === "number" ? "number" : "");
    cell.scope = "col";
    if (block.sortable) {
      const button = element("button", "", column.name);
      button.type = "button";
      button.title = "Sort by this column";
      button.addEventListener("click", () => {
        sorted = sorted === i ? null : i;
        sortBy(body, i, sorted === i);
      });
      cell.append(button);
    } else cell.textContent = column.name;
    names.append(cell);
  });
  head.append(names);
  for (const row of block.rows || []) {
    const line = element("tr");
    row.forEach((cell, i) => line.append(cellOf(cell, (columns[i] || {}).kind)));
    body.append(line);
  }
  table.append(head, body);
  if (block.total) {
    const foot = element("tfoot"), line = element("tr");
    block.total.forEach((cell, i) => line.append(cellOf(cell, (columns[i] || {}).kind)));
    foot.append(line);
    table.append(foot);
  }
  if ((block.rows || []).length > 30) scroll.classList.add("tall");
  if (block.title) card.append(element("h3", "", block.title));
  scroll.append(table);
  card.append(scroll);
  if (block.caption) card.append(element("p", "caption", block.caption));
  return card;
}

/* ---- Figures ---- */

/* Coloured cells: each by its share of its row. */
function heatInto(place, figure) {
  const scroll = element("div", "scroll"), table = element("table", "heat");
  const head = element("thead"), names = element("tr"), body = element("tbody");
  const over = element("tr"), label = element("th", "over", (figure.x || {}).label);
  label.colSpan = figure.columns.length;
  over.append(element("th"), label);
  names.append(element("th", "corner", (figure.y || {}).label));
  for (const name of figure.columns) {
    const cell = element("th", "", name);
    cell.title = name;
    names.append(cell);
  }
  head.append(over, names);
  figure.values.forEach((row, i) => {
    const line = element("tr"), sum = row.reduce((a, b) => a + (b > 0 ? b : 0), 0);
    const name = element("th", "", figure.rows[i]);
    name.title = figure.rows[i];
    line.append(name);
    for (const value of row) {
      const cell = element("td", "", value), share = sum > 0 && value > 0 ? value / sum : 0;
      cell.style.background = "rgba(var(--heat), " + (0.06 + 0.9 * share).toFixed(3) + ")";
      if (share > 0.45) cell.style.color = isDark() ? "#0d1117" : "#ffffff";
      cell.title = (100 * share).toFixed(1) + " % of the row";
      line.append(cell);
    }
    body.append(line);
  });
  table.append(head, body);
  scroll.append(table);
  place.append(scroll);
  return () => {
    for (const cell of body.querySelectorAll("td"))
      if (cell.style.color) cell.style.color = isDark() ? "#0d1117" : "#ffffff";
  };
}

function saveSvg(svg, name) {
  const text = '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(svg);
  const link = element("a"), url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  link.href = url;
  link.download = name + ".svg";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function figureBlock(block) {
  const figure = block.figure, frame = element("figure", "card figure"), bar = element("div", "bar");
  const template = document.getElementById("svg-" + figure.id);
  const svg = template ? template.content.querySelector("svg") : null;
  bar.append(element("h3", "", figure.title));
  frame.append(bar);
  if (svg) {
    const save = element("button", "tool", "SVG");
    save.type = "button";
    save.title = "Save this figure for print";
    save.addEventListener("click", () => saveSvg(svg, figure.id));
    bar.append(save);
  }
  const place = element("div");
  frame.append(place);
  frame.id = "figure-" + figure.id;
  if (svg) {
    const vector = element("div", "vector");
    vector.append(svg.cloneNode(true));
    frame.append(vector);
  }
  if (figure.caption) frame.append(element("figcaption", "caption", figure.caption));
  return { frame, draw() {
    if (figure.type === "heat") redraws.push(heatInto(place, figure));
    else if (window.Chart) redraws.push(chartInto(place, figure));
    else frame.classList.add("still");
  } };
}

/* ---- The page ---- */

const BLOCKS = { headline: headlineBlock, facts: factsBlock, notes: notesBlock, text: textBlock, code: codeBlock,
  table: tableBlock };

function addBlock(blocks, block) {
  const place = element("div", "block" + (block.half ? " half" : ""));
  if (block.type === "figure") {
    const made = figureBlock(block);
    place.append(made.frame);
    blocks.append(place);
    made.draw();
    return;
  }
  const made = BLOCKS[block.type] ? BLOCKS[block.type](block) : null;
  if (!made) return;
  place.append(made);
  blocks.append(place);
}

function addSection(section) {
  const made = element("section"), blocks = element("div", "blocks");
  made.id = "section-" + section.id;
  made.append(element("h2", "", section.title));
  if (section.text) made.append(element("p", "", section.text));
  made.append(blocks);
  document.getElementById("main").append(made);
  for (const block of section.blocks || []) addBlock(blocks, block);
  const link = element("a", "", section.short || section.title);
  link.href = "#section-" + section.id;
  document.getElementById("contents").append(link);
}

function storedTheme() {
  try {
    return localStorage.getItem("gprgnn-theme");
  } catch {
    return null; /* pages opened from a file may have no storage */
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const redraw of redraws) redraw();
}

function start() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  document.documentElement.dataset.theme = storedTheme() || (system.matches ? "dark" : "light");
  document.body.classList.add(data.kind === "paper" ? "paper" : "run");
  document.getElementById("title").textContent = data.title;
  document.getElementById("subtitle").textContent = data.subtitle;
  (data.sections || []).forEach(addSection);
  document.getElementById("footer").textContent =
    "Written by gprgnn " + (data.version || "") + ". This file needs no network: everything is in it.";
  system.addEventListener("change", () => { if (!storedTheme()) setTheme(system.matches ? "dark" : "light"); });
  document.getElementById("theme").addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("gprgnn-theme", next);
    } catch { /* then it lasts as long as the page is open */ }
    setTheme(next);
  });
}

start();
