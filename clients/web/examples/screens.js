// Shared by the pages of the examples: buttons that call actions, and the state of the connection.

export function screen(bridge, view) {
  const status = document.getElementById("status");
  const update = () => { status.textContent = { open: "", connecting: "Not connected; trying again", closed: "Open the address that the program prints" }[bridge.status]; };
  bridge.addEventListener("status", update);
  for (const button of document.querySelectorAll("[data-action]")) {
    button.addEventListener("click", () => act(bridge, button.dataset.action, { value: button.value }));
  }
  window.bridge = bridge; // For the console, and for tests.
  window.view = view;
}

export async function act(bridge, method, params) {
  try {
    await bridge.call(method, params);
  } catch (error) {
    document.getElementById("status").textContent = error.message;
  }
}

/** Returns a template with elements that are named by class and created once. `show` fills them. */
export function template(parts, show) {
  return (element, content, isNew) => {
    if (isNew) {
      for (const [name, tag] of Object.entries(parts)) {
        element.append(Object.assign(document.createElement(tag), { className: name }));
      }
    }
    const named = Object.fromEntries([...element.children].map((one) => [one.className, one]));
    show(named, content, element);
  };
}
