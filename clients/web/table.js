// A list as a table: a column for each member, sorted by a click on its header, filtered by a query, in groups. The
// list is that of a daemon, or a recorded one, which needs no daemon.

import { columnsOf, hasValue, isNumeric, textOf, visible } from "./columns.js";
import { connect, itemOf, memberOf, Scroller } from "./listd.js";
import { Player } from "./player.js";
import { Recording } from "./recorded.js";

const ROW = 28; // pixels
const ELEMENTS = 230; // The most elements of rows and cells.
const GROUPS = "min(18ch, 30vw)"; // The width of the names of groups.
const PAUSE = 600; // milliseconds from the last key until the number of rows is said

const $ = (id) => document.getElementById(id);
const shown = JSON.parse($("shown").textContent);
const bridge = shown.recording ? new Recording(shown.list, shown.recording) : connect();
const table = $("table"), head = table.querySelector(".columns"), wish = new URLSearchParams(location.hash.slice(1));

// What the address says, so that a reload and a bookmark show the same.
const state = { query: wish.get("q") ?? "", by: wish.get("sort") ?? shown.sort ?? "", group: wish.get("group") ?? "" };
let columns = columnsOf([], shown.columns), isNew = true, isReading = shown.state !== undefined, saying = 0;

$("title").textContent = $("title").title = visible(shown.title);
document.title = `${$("title").title} · listd`;
$("query").value = state.query;
table.setAttribute("aria-label", shown.title);

// The view that the state describes. A descending order begins with "-".
function view() {
  const { query, group } = state, isDescending = state.by.startsWith("-"), by = state.by.slice(isDescending ? 1 : 0);
  const own = columns.filter((one) => !isNumeric(one)).map(({ name }) => name);
  const members = own.length ? own : columns.map(({ name }) => name);
  const isFiltered = query.trim() !== "" && members.length > 0;
  const sort = [
    ...(group ? [{ by: group, as: "natural" }] : []),
    ...(by ? [{ by, as: "natural", order: isDescending ? "descending" : "ascending" }] : []),
  ];
  return {
    ...(isFiltered ? { match: { query, members } } : {}),
    ...(sort.length ? { sort } : {}),
    sections: group ? { by: group } : "merge", selection: "source", selectionMode: shown.selectionMode,
  };
}

function change(more, says = true) {
  Object.assign(state, more);
  const members = Object.entries({ q: state.query, sort: state.by, group: state.group });
  const hash = new URLSearchParams(members.filter(([, value]) => value));
  history.replaceState(null, "", `#${hash}`);
  markOrder();
  scroller.top();
  scroller.show(view());
  if (says) say();
}

// A screen reader says the number of rows after the user has changed it, not whenever the list changes.
function say() {
  clearTimeout(saying);
  saying = setTimeout(() => { $("said").textContent = $("count").textContent; }, PAUSE);
}

const scroller = new Scroller(table, bridge, shown.list, {
  rowHeight: ROW, inset: ROW, around: 4, view: view(), role: "grid", animate: true, activate: details,
  page: () => Math.max(1, Math.floor(scroller.space.screen / ROW) - 1),
  templates: { Cell: fill, Header: fillHeader },
});

function fill(row, content) {
  while (row.childElementCount > columns.length) row.lastChild.remove();
  for (const [index, column] of columns.entries()) {
    const cell = row.children[index] ?? row.appendChild(document.createElement("span"));
    cell.setAttribute("role", "gridcell");
    cell.classList.toggle("number", isNumeric(column));
    const text = textOf(memberOf(content, column.name), column);
    if (cell.textContent !== text) cell.textContent = text;
  }
}

function fillHeader(header, { text, count }, isNew) {
  if (isNew) header.append(document.createElement("span"), document.createElement("span"));
  header.firstChild.textContent = header.title = text === "" ? "–" : visible(text);
  header.lastChild.textContent = count.toLocaleString("en");
}

// Members that no row had before get columns at the end. If the rows have none of the known ones, they are others.
function updateColumns() {
  const contents = scroller.list.rows.map((row) => row.content), isFixed = shown.columns !== undefined;
  const isKnown = columns.some(({ name }) => contents.some((one) => hasValue(one, name)));
  if (contents.length && !isFixed && !isKnown) isNew = true;
  const found = columnsOf(contents, isNew ? shown.columns : columns, isFixed);
  if (!contents.length || (!isNew && found.length === columns.length)) return;
  isNew = false;
  columns = found;
  const letters = columns.reduce((sum, { width }) => sum + Math.min(width, 24), 0);
  const { style } = document.documentElement;
  style.setProperty("--columns", columns.map(widthOf).join(" "));
  style.setProperty("--letters", `calc(${letters}ch + ${columns.length + 1}rem)`);
  head.replaceChildren(...columns.map(headerOf));
  $("groups").replaceChildren(new Option("none", ""), ...columns.map(({ name }) => new Option(visible(name), name)));
  $("groups").value = state.group;
  table.setAttribute("aria-colcount", columns.length);
  const room = ELEMENTS / (columns.length + 1) - scroller.space.screen / ROW;
  scroller.around = Math.max(3, Math.min(10, Math.floor(room / 2)));
  for (const row of scroller.list.rows) fill(scroller.shown.elementOf(row), row.content);
  markOrder();
  // The query is about these columns.
  if (state.query.trim()) scroller.show(view());
}

function widthOf(column) {
  const least = Math.min(column.width, 24);
  return isNumeric(column) ? `${least}ch` : `minmax(${least}ch, ${column.width}fr)`;
}

function headerOf(column) {
  const header = document.createElement("div"), button = document.createElement("button");
  header.setAttribute("role", "columnheader");
  header.classList.toggle("number", isNumeric(column));
  button.textContent = header.title = visible(column.name);
  // Ascending, descending, and then the order of the list again.
  const { name } = column, next = () => (state.by === name ? `-${name}` : state.by === `-${name}` ? "" : name);
  button.addEventListener("click", () => change({ by: next() }));
  header.append(button);
  return header;
}

function markOrder() {
  for (const [index, { name }] of columns.entries()) {
    const order = state.by === name ? "ascending" : state.by === `-${name}` ? "descending" : null;
    if (order) head.children[index]?.setAttribute("aria-sort", order);
    else head.children[index]?.removeAttribute("aria-sort");
  }
  table.classList.toggle("grouped", state.group !== "");
  const { style } = document.documentElement, width = state.group ? GROUPS : "0px";
  style.setProperty("--groups", width);
  style.setProperty("--least", `calc(var(--letters, 100%) + ${width})`);
}

function details({ content }) {
  const item = itemOf(content), members = item !== null && typeof item === "object" ? item : { text: item };
  $("details").querySelector("dl").replaceChildren(...Object.entries(members).flatMap(([name, value]) => {
    const term = document.createElement("dt"), text = document.createElement("dd");
    const kind = columns.find((one) => one.name === name)?.kind;
    term.textContent = visible(name);
    const own = kind === "time" ? textOf(value, { kind }) : String(value);
    const whole = typeof value === "object" ? JSON.stringify(value, null, 2) : own;
    text.textContent = whole.split("\n").map(visible).join("\n");
    return [term, text];
  }));
  $("details").showModal();
}

function update() {
  const { view } = scroller.list;
  if (!view) return;
  updateColumns();
  const { matched, total } = view, format = (number) => number.toLocaleString("en");
  const isFiltered = state.query.trim() !== "";
  const all = `${format(total)} ${total === 1 ? "row" : "rows"}`;
  const isWaiting = isReading && total === 0;
  $("count").textContent = isWaiting ? "Loading …" : isFiltered ? `${format(matched)} of ${format(total)}` : all;
  table.setAttribute("aria-rowcount", matched + 1);
  table.setAttribute("aria-busy", isWaiting);
  table.classList.toggle("settled", !isWaiting);
  table.classList.toggle("short", matched * ROW < scroller.space.screen);
  const [text, button] = $("empty").querySelectorAll("span, button");
  $("empty").hidden = matched > 0 || isWaiting;
  button.hidden = total === 0;
  text.textContent = total === 0 ? "There are no rows yet." : `None of ${format(total)} rows matches.`;
}

function updateStatus() {
  const words = {
    connecting: "Not connected. Trying again; the rows are those of before.",
    closed: "This address is not valid any more. Open the one that the program prints.",
  };
  // At first the page waits for its rows.
  $("lost").hidden = bridge.status === "open" || (bridge.status === "connecting" && !scroller.list.view);
  $("lost").textContent = words[bridge.status] ?? "";
  document.body.classList.toggle("lost", bridge.status !== "open" && scroller.list.view !== undefined);
}

scroller.list.listen(update);
bridge.addEventListener("status", updateStatus);
$("query").addEventListener("input", () => change({ query: $("query").value }));
$("groups").addEventListener("change", () => change({ group: $("groups").value }));
$("empty").querySelector("button").addEventListener("click", () => {
  $("query").value = "";
  change({ query: "" });
  $("query").focus();
});
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, select, dialog");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    event.stopPropagation();
    $("query").select();
  } else if (event.target === $("query") && event.key === "ArrowDown") {
    event.preventDefault();
    table.querySelector(".listd-row[tabindex='0']")?.focus();
  }
}, true);
if (shown.state) {
  const list = bridge.list(shown.state);
  list.listen(() => {
    const { text = "", failed = false } = list.rows[0]?.content ?? {};
    $("state").textContent = text;
    $("state").hidden = !text;
    $("state").classList.toggle("failed", failed);
    isReading = text !== "" && !failed;
    update();
  });
}
if (shown.recording?.changes.length) new Player(bridge, $("player"));
markOrder();
updateStatus();
update();
Object.assign(window, { bridge, scroller, list: scroller.list }); // For the console, and for tests.
