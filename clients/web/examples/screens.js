// Shared by the pages of the examples: buttons that call actions, and the states of the connection and of the list.

const LOST = {
  connecting: "Not connected. Trying again …",
  closed: "This address is not valid any more. Open the one that the program prints.",
};

/** Connects the buttons of a page to actions. While the list is empty, `none` is shown instead of it. */
export function screen(bridge, view, none = "") {
  const lost = Object.assign(document.createElement("p"), { id: "lost", hidden: true });
  const empty = Object.assign(document.createElement("p"), { className: "none" });
  lost.setAttribute("role", "alert");
  document.querySelector("main").prepend(lost);
  view.element.after(empty);
  const buttons = document.querySelectorAll("[data-action]");
  const update = () => {
    const isOpen = bridge.status === "open", isNew = view.list.revision === 0 && !isOpen;
    lost.hidden = isOpen || (isNew && bridge.status === "connecting");
    lost.textContent = LOST[bridge.status] ?? "";
    empty.textContent = isNew ? "Loading …" : none;
    empty.hidden = view.list.rows.length > 0 || !empty.textContent;
    // Those of rows call actions, too, unless they have another purpose.
    for (const button of document.querySelectorAll("[data-action], .listd-row button:not(.local)")) {
      button.setAttribute("aria-disabled", String(!isOpen));
    }
  };
  bridge.addEventListener("status", update);
  view.list.listen(update);
  update();
  for (const button of buttons) {
    button.addEventListener("click", () => act(bridge, button.dataset.action, { value: button.value }));
  }
  window.bridge = bridge; // For the console, and for tests.
  window.view = view;
}

/** Calls an action. Says why if that fails. */
export async function act(bridge, method, params) {
  const status = document.getElementById("status");
  try {
    status.textContent = "";
    if (bridge.status === "open") return await bridge.call(method, params);
    status.textContent = "That needs a connection.";
  } catch (error) {
    status.textContent = error.message;
  }
}

/** Marks the button that is pressed among those of an action: its value is the selected item of a list. */
export function press(list, action) {
  list.listen(() => {
    const selected = list.rows.find((row) => row.selected)?.content;
    for (const button of document.querySelectorAll(`[data-action=${action}]`)) {
      button.setAttribute("aria-pressed", String(button.value === selected));
    }
  });
}

/** Returns a template with elements that are created once, named by their first class. `show` fills them. */
export function template(parts, show) {
  return (element, content, isNew) => {
    if (isNew) {
      for (const [name, tag] of Object.entries(parts)) {
        element.append(Object.assign(document.createElement(tag), { className: name }));
      }
    }
    const named = Object.fromEntries([...element.children].map((one) => [one.classList[0], one]));
    show(named, content, element);
  };
}
