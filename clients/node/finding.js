// Finds the daemon.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";

import { DaemonNotFound } from "./errors.js";

/** The path of the daemon: the one that `LISTD` names, or the one that was installed with this client, or
    `listd` on `PATH`, or the newest build of the repository that contains this client. */
export function find() {
  if (env.LISTD) {
    const named = env.LISTD.includes("/") ? runnable(env.LISTD) : onPath(env.LISTD);
    if (!named) throw new DaemonNotFound(`LISTD=${env.LISTD} is not an executable program`);
    return named;
  }
  // A bundle for CommonJS has no URL, and nothing beside it.
  const { url } = import.meta, here = url ? dirname(fileURLToPath(url)) : "/";
  const builds = ["release", "debug"]
    .map((kind) => runnable(resolve(here, "../../.build", kind, "listd")))
    .filter(Boolean)
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  // PREFIX/share/listd/node
  const companion = /\/share\/listd\/node$/.test(here) && runnable(resolve(here, "../../../bin/listd"));
  const found = companion || onPath("listd") || builds[0];
  if (!found) throw new DaemonNotFound("there is no listd: put it on PATH, or set LISTD to its path");
  return found;
}

function onPath(name) {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => runnable(join(folder, name))).find(Boolean) ?? null;
}

function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
}
