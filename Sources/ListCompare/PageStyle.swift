/// The style sheet and the script of pages about changes.
enum PageStyle {
  /// The class, sign and description of a kind of change.
  static func kind(_ kind: ChangeStep.Kind) -> (name: String, sign: String, word: String) {
    switch kind {
    case .same: ("same", "", "")
    case .changed: ("changed", "~", "changed")
    case .deleted: ("deleted", "−", "deleted")
    case .departed: ("departed", "⇢", "moved away")
    case .inserted: ("inserted", "+", "inserted")
    case .arrived: ("arrived", "⇠", "moved here")
    }
  }

  /// The SHA-256 hashes of the style sheet and of the script.
  static let sheetHash = "sha256-ipSGuiwv2bMiP8vBC6QOGKBSnhM+kwmTDsf/QkYAKlA="
  static let scriptHash = "sha256-HByO2Jl/oG+jXW4Q4+ME8FS/j/oOmHH20wdgk1bOBMU="

  static let sheet = """
    :root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--dim:#59636e;--line:#d1d9e0;--box:#f6f8fa;
    --del:#ffebe9;--delmark:#ffb3ad;--ins:#dafbe1;--insmark:#8fe3a5;--chg:#fff8c5;--mov:#ddf4ff;
    --mark:#0969da}
    @media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;--line:#3d444d;
    --box:#151b23;--del:#3c1618;--delmark:#8b2c2f;--ins:#12331f;--insmark:#1f6f3a;--chg:#3a2f0b;
    --mov:#0c2d4a;--mark:#58a6ff}}
    *{box-sizing:border-box}
    body{background:var(--bg);color:var(--fg);font:14px/1.45 system-ui,sans-serif;margin:1.5rem;
    max-width:110rem}
    h1{font-size:1.25rem;overflow-wrap:anywhere}
    h2{font-size:1.05rem;overflow-wrap:anywhere;margin:1.8rem 0 .3rem}
    h2+p{margin:.3rem 0}p,li{color:var(--dim)}ul{padding-left:1.2rem;overflow-wrap:anywhere}
    a{color:var(--mark)}p.changed{padding:0 .6em}
    table{border-collapse:collapse;width:100%;border:1px solid var(--line);
    font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    th,td{padding:0 .6em;vertical-align:top;text-align:left;white-space:pre-wrap}
    td{overflow-wrap:anywhere}.cells td{overflow-wrap:break-word;max-width:40ch}
    thead th{background:var(--box);position:sticky;top:0}
    thead span{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
    tbody th{background:var(--box);color:var(--dim);font-weight:normal;overflow-wrap:anywhere}
    td:nth-child(-n+2):not([colspan]){text-align:right;color:var(--dim);width:1%;white-space:nowrap;
    user-select:none}
    td:nth-child(3){width:1%;text-align:center;font-weight:bold;white-space:nowrap}
    .deleted td{background:var(--del)}.inserted td{background:var(--ins)}
    .changed td,p.changed{background:var(--chg)}.arrived td,.departed td{background:var(--mov)}
    .departed td:nth-child(n+4){color:var(--dim)}.heading td{font-weight:bold}
    .gap td{color:var(--dim)}
    del,ins{text-decoration:none;border-radius:2px}del{background:var(--delmark)}
    ins{background:var(--insmark)}i{color:var(--dim);font-style:normal}
    tr,p,h2{scroll-margin:4rem}
    [aria-current]{outline:2px solid var(--mark);outline-offset:-2px}
    nav{position:fixed;right:1rem;bottom:1rem;display:flex;gap:.5rem;align-items:center;
    background:var(--box);border:1px solid var(--line);border-radius:8px;padding:.25rem .5rem}
    button{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);
    border-radius:6px;padding:.1rem .6rem;cursor:pointer}
    @media(max-width:600px){body{margin:.7rem .5rem 4rem}th,td{padding:0 .35em}}
    @media print{nav{display:none}thead th{position:static}}

    """

  /// Goes to the next or the previous change, which is a row that differs after one that does not,
  /// and on a page of folders to the next or the previous file.
  static let script = """
    const kinds = ["changed", "deleted", "departed", "inserted", "arrived"];
    const differs = (element) => element && kinds.some((kind) => element.classList.contains(kind));
    const changes = [...document.querySelectorAll("tr, p")].filter(
      (element) => differs(element) && !differs(element.previousElementSibling));
    const files = [...document.querySelectorAll("h2")];
    const place = document.createElement("span");
    let current;
    function isSeen(element) {
      const box = element.getBoundingClientRect();
      return box.bottom > 0 && box.top < innerHeight;
    }
    // An element is after the current one, or below the top of the window if that is not to be seen.
    function isAfter(element) {
      return current && isSeen(current)
        ? current.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
        : element.getBoundingClientRect().top >= 0;
    }
    function go(elements, step) {
      const next =
        step > 0
          ? elements.find(isAfter) ?? elements.at(-1)
          : elements.findLast((one) => one !== current && !isAfter(one)) ?? elements[0];
      current?.removeAttribute("aria-current");
      current = next;
      next.setAttribute("aria-current", "true");
      next.tabIndex = -1;
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: isSeen(next) ? "nearest" : "start" });
      show();
    }
    function show() {
      const index = changes.indexOf(current);
      const count = changes.length;
      place.textContent = index < 0 ? `${count} change${count === 1 ? "" : "s"}` : `${index + 1} of ${count}`;
    }
    function button(sign, label, step) {
      const one = document.createElement("button");
      one.textContent = sign;
      one.title = label;
      one.setAttribute("aria-label", label);
      one.onclick = () => go(changes, step);
      return one;
    }
    if (changes.length > 0) {
      const bar = document.createElement("nav");
      bar.setAttribute("aria-label", "Changes");
      bar.append(button("▲", "Previous change (p)", -1), place, button("▼", "Next change (n)", 1));
      document.body.append(bar);
      show();
    }
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const steps = { n: [changes, 1], j: [changes, 1], p: [changes, -1], k: [changes, -1],
        N: [files, 1], P: [files, -1] };
      const [elements, step] = steps[event.key] ?? [[], 0];
      if (elements.length === 0) return;
      event.preventDefault();
      go(elements, step);
    });

    """
}
