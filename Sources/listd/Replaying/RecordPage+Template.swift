import Commands
import ListCompare

extension RecordPage {
  /// The page before the data.
  static let head = #"""
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    \#(PagePolicy.element(styles: styleHash, scripts: scriptHash))\#
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <title>A recorded session of listd</title>
    <style>\#(style)</style></head><body>
    <header><h1 id="title"></h1><div class="bar">
    <button id="back" aria-label="Previous request">◀</button>
    <input id="slider" type="range" min="0" value="0" aria-label="Request">
    <button id="next" aria-label="Next request">▶</button><span id="place" class="dim"></span>
    </div><p id="now" role="status" aria-live="polite"></p></header>
    <main><nav id="turns" aria-label="Requests"></nav>
    <section id="lists" aria-label="Lists" tabindex="0"></section>
    <section id="messages" aria-label="Messages" tabindex="0"></section></main>
    <noscript>This page needs a script to step through the requests.</noscript>
    <script type="application/json" id="data">
    """#

  /// The page after the data.
  static let tail = #"""
    </script>
    <script>\#(script)</script></body></html>

    """#

  /// The SHA-256 hashes of the style sheet and the script.
  private static let styleHash = "sha256-wiTHfN8sXkW+X95Xcat9T/jvZKocp7y5JpiVEQsYg/E="
  private static let scriptHash = "sha256-hNAuFEwTnjQiFueD/quH/o2/TN4FxKI/lHqiB4KLsJA="

  private static let style = #"""
    :root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--dim:#59636e;--line:#d1d9e0;--box:#f6f8fa;
    --del:#ffebe9;--ins:#dafbe1;--chg:#fff8c5;--mov:#ddf4ff;--bad:#b3261e;--mark:#0969da}
    @media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;--line:#3d444d;
    --box:#151b23;--del:#4a1a1d;--ins:#12331f;--chg:#3a2f0b;--mov:#0c2d4a;--bad:#ff7b72;--mark:#58a6ff}}
    *{box-sizing:border-box}body{background:var(--bg);color:var(--fg);margin:0;
    font:14px/1.45 system-ui,sans-serif;height:100vh;display:grid;grid-template-rows:auto 1fr}
    header{padding:.6rem 1rem;border-bottom:1px solid var(--line)}h1{font-size:1.05rem;margin:0 0 .4rem}
    .bar{display:flex;gap:.6rem;align-items:center}.bar input{flex:1;accent-color:var(--mark)}
    button{font:inherit;color:inherit;background:var(--box);border:1px solid var(--line);
    border-radius:6px;padding:.1rem .7rem;cursor:pointer}button:disabled{opacity:.4}
    :focus-visible{outline:2px solid var(--mark);outline-offset:1px}
    main{display:grid;grid-template-columns:minmax(13rem,18rem) minmax(0,1fr) minmax(0,1fr);min-height:0}
    nav,section{overflow:auto;padding:.6rem 1rem;border-right:1px solid var(--line);min-width:0}
    nav{padding:.4rem}nav button{display:block;width:100%;text-align:left;border-color:transparent;
    background:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    nav button[aria-current=true]{background:var(--mov);font-weight:600}
    nav small,.dim{color:var(--dim)}.bad{color:var(--bad)}h2{font-size:.95rem;margin:.4rem 0}
    ol{list-style:none;margin:0 0 1rem;padding:0;border:1px solid var(--line);border-radius:6px;
    overflow:hidden;font:12.5px/1.6 ui-monospace,Menlo,Consolas,monospace}
    li{padding:0 .6rem;display:flex;gap:.6rem;background:var(--bg);overflow-wrap:anywhere}
    li b{width:1ch;flex:none;text-align:center}li.h{font-weight:600;border-top:1px solid var(--line)}
    li.ins{background:var(--ins)}li.del{background:var(--del);text-decoration:line-through}
    li.chg{background:var(--chg)}li.mov{background:var(--mov)}
    li.away{background:var(--mov);color:var(--dim);font-style:italic}
    pre{font:12px/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;
    background:var(--box);border:1px solid var(--line);border-radius:6px;padding:.5rem;margin:.2rem 0 1rem}
    #now{margin:.4rem 0 0}
    @media(max-width:60rem){body{height:auto}main{display:block}nav{max-height:12rem}}
    """#

  private static let script = #"""
    "use strict";
    const data = JSON.parse(document.getElementById("data").textContent);
    const at = id => document.getElementById(id), last = data.turns.length - 1;
    const kinds = {"=": ["", ""], "~": ["chg", "changed"], "-": ["del", "deleted"],
      "<": ["away", "moved away"], "+": ["ins", "inserted"], ">": ["mov", "moved here"]};
    const signs = {"=": "", "~": "~", "-": "−", "<": "⇢", "+": "+", ">": "⇠"};
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let shown = -1;
    function make(tag, text, name) {
      const element = document.createElement(tag);
      if (text !== undefined) element.textContent = text;
      if (name) element.className = name;
      return element;
    }
    function pretty(text) {
      try { JSON.parse(text); } catch { return text; }
      let out = "", depth = 0, inside = false;
      // Digits are kept as they were written.
      for (let i = 0; i < text.length; i++) {
        const c = text[i];
        if (inside) { out += c; if (c === "\\") out += text[++i]; else if (c === '"') inside = false; continue; }
        if (c === '"') { inside = true; out += c; }
        else if ((c === "{" || c === "[") && depth < 3) {
          out += c + "\n" + "  ".repeat(++depth);
        } else if (c === "{" || c === "[") { depth++; out += c; }
        else if (c === "}" || c === "]") {
          out += --depth < 3 ? "\n" + "  ".repeat(depth) + c : c;
        } else if (c === ",") out += depth <= 3 ? ",\n" + "  ".repeat(depth) : ", ";
        else if (c === ":") out += ": ";
        else if (!/\s/.test(c)) out += c;
      }
      return out;
    }
    function listsAt(turn) {
      const lists = new Map();
      for (let i = 0; i <= turn; i++) for (const change of data.turns[i].changes) {
        if (change.to === 0 && i < turn) lists.delete(change.list);
        else lists.set(change.list, {change, isNew: i === turn});
      }
      return lists;
    }
    function draw(lists, places) {
      const box = at("lists");
      box.replaceChildren();
      if (!lists.size) box.append(make("p", "There are no lists yet.", "dim"));
      for (const [name, {change, isNew}] of lists) {
        const heading = make("h2", name + " ");
        const words = isNew ? `r${change.from} → r${change.to}  ${change.summary}` : `r${change.to}`;
        heading.append(make("span", words, "dim"));
        const list = make("ol"), seen = new Map();
        list.setAttribute("aria-label", name);
        for (const [sign, isHeading, key, text] of change.rows) {
          const isGone = sign === "-" || sign === "<";
          if (isGone && !isNew) continue;
          const [style, word] = isNew ? kinds[sign] : kinds["="];
          const row = make("li", undefined, (style + (isHeading ? " h" : "")).trim());
          const mark = make("b", isNew ? signs[sign] : "");
          if (word) { mark.title = word; mark.setAttribute("aria-label", word); }
          row.append(mark, make("span", (isHeading ? "§ " : "") + data.texts[text]));
          if (!isGone) {
            const count = seen.get(key) || 0;
            seen.set(key, count + 1);
            row.dataset.key = `${name}/${isHeading}/${key}/${count}`;
          }
          list.append(row);
        }
        box.append(heading, list);
      }
      if (still) return;
      for (const row of box.querySelectorAll("li[data-key]")) {
        const before = places.get(row.dataset.key);
        if (before === undefined) continue;
        const by = before - row.offsetTop;
        if (by) row.animate([{transform: `translateY(${by}px)`}, {transform: "none"}],
          {duration: 350, easing: "ease-in-out"});
      }
    }
    function show(turn) {
      turn = Math.max(0, Math.min(last, turn));
      if (turn === shown || last < 0) return;
      shown = turn;
      const now = data.turns[turn], places = new Map();
      for (const row of at("lists").querySelectorAll("li[data-key]"))
        places.set(row.dataset.key, row.offsetTop);
      at("slider").value = turn;
      at("slider").setAttribute("aria-valuetext", `${turn + 1}: ${label(now)}`);
      at("back").disabled = turn === 0;
      at("next").disabled = turn === last;
      at("place").textContent = `${turn + 1} of ${last + 1}`;
      at("now").replaceChildren(`${label(now)}, at ${now.at} ms`);
      if (now.error) at("now").append(" ", make("span", "✗ " + now.error, "bad"));
      for (const change of now.changes) at("now").append(` · ${change.list}: ${change.summary}`);
      draw(listsAt(turn), places);
      const messages = at("messages");
      messages.replaceChildren(make("h2", "Request"), make("pre", pretty(now.request)));
      if (now.replies.length) messages.append(make("h2", "Replies"));
      for (const reply of now.replies) messages.append(make("pre", pretty(reply)));
      at("turns").querySelectorAll("button").forEach((button, index) => {
        button.setAttribute("aria-current", index === turn);
        if (index === turn) button.scrollIntoView({block: "nearest"});
      });
      history.replaceState(null, "", "#" + (turn + 1));
    }
    const label = turn => [turn.id && "#" + turn.id, turn.method || "a message", turn.list].filter(Boolean).join(" ");
    at("title").textContent = data.title || "A recorded session";
    at("slider").max = Math.max(0, last);
    data.turns.forEach((turn, index) => {
      const button = make("button", label(turn) + " ");
      button.append(make("small", `${turn.at} ms`));
      if (turn.error) button.append(make("span", " ✗", "bad"));
      button.onclick = () => show(index);
      at("turns").append(button);
    });
    at("slider").oninput = event => show(+event.target.value);
    at("back").onclick = () => show(shown - 1);
    at("next").onclick = () => show(shown + 1);
    addEventListener("hashchange", () => show(+location.hash.slice(1) - 1));
    addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target === at("slider")) return;
      const to = {ArrowLeft: shown - 1, k: shown - 1, ArrowRight: shown + 1, j: shown + 1, Home: 0, End: last};
      if (event.key in to) { event.preventDefault(); show(to[event.key]); }
    });
    const first = data.turns.findIndex(turn => turn.changes.some(change => change.summary));
    show((+location.hash.slice(1) || Math.max(first, 0) + 1) - 1);
    """#
}
