// The files of a workspace as a list: an item for each file and folder, identified by its path.

export class Files {
  #vscode;
  #list;
  #uris = new Map(); // By path, of files and folders.
  #watcher;
  #pending = Promise.resolve();

  constructor(vscode, list) {
    [this.#vscode, this.#list] = [vscode, list];
    this.#watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
    this.#watcher.onDidCreate((uri) => this.#then(() => this.#add(uri)));
    this.#watcher.onDidDelete((uri) => this.#then(() => this.#remove(uri)));
  }

  /** Reads the whole workspace. */
  read() {
    return this.#then(async () => {
      const exclude = this.#vscode.workspace.getConfiguration("listd").get("exclude") || undefined;
      const found = await this.#vscode.workspace.findFiles("**/*", exclude);
      this.#uris.clear();
      const items = found.flatMap((uri) => this.#itemsOf(uri, "file"));
      await this.#list.apply(items, { format: "none" });
    });
  }

  uriOf(path) {
    return this.#uris.get(path);
  }

  dispose() {
    this.#watcher.dispose();
  }

  // One after the other. A failure is that of this change only.
  #then(work) {
    const done = this.#pending.then(work);
    this.#pending = done.catch(() => {});
    return done;
  }

  // The item of a file, after those of its folders that are new.
  #itemsOf(uri, type) {
    const path = this.#vscode.workspace.asRelativePath(uri), items = [];
    const names = path.split("/");
    names.forEach((name, index) => {
      const id = names.slice(0, index + 1).join("/"), up = names.slice(0, index).join("/") || undefined;
      if (this.#uris.has(id)) return;
      const levels = names.length - 1 - index;
      this.#uris.set(id, levels ? this.#vscode.Uri.joinPath(uri, ...Array(levels).fill("..")) : uri);
      items.push({ id, text: id, name, type: levels ? "folder" : type, ...(up === undefined ? {} : { up }) });
    });
    return items;
  }

  async #add(uri) {
    const { type } = await this.#vscode.workspace.fs.stat(uri);
    const items = this.#itemsOf(uri, type & this.#vscode.FileType.Directory ? "folder" : "file");
    if (items.length) await this.#list.edit({ edit: "putItems", items }, { format: "none" });
  }

  async #remove(uri) {
    const path = this.#vscode.workspace.asRelativePath(uri);
    const gone = [...this.#uris.keys()].filter((id) => id === path || id.startsWith(`${path}/`));
    for (const id of gone) this.#uris.delete(id);
    if (gone.length) await this.#list.edit({ edit: "deleteItems", items: gone }, { format: "none" });
  }
}
