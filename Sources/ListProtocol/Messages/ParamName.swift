import JSONBytes

/// The names of the members of parameters, and of the objects in them.
enum ParamName: String, CaseIterable {
  case list, sections, items, key, snapshot, edits, sources, view
  case baseRevision, format, content, moves, maxOps, selected, cursor, cursorPolicy, latest
  case spans, selectedLines, since, sinceText, lines, text, window, templates
  case action, section, paths, match, from, to, direction, count
  case id, occurrence, source, path, revision, line, textRevision
  case edit, before, after, deep
  case `where`, distinct, tree, sort, selection, selectionMode, allowsEmptySelection
  case parent, open, by, order, `as`, start, item, query, members, `case`
  case value
  case allowsEdits, command, cwd, env, every, file, follow
  case folder, depth, hidden, ignored, watch
  case state, dryRun
  /// The token of the progress of a request, which any request may have.
  case workDoneToken
  /// A member of many requests of the Language Server Protocol, which is ignored.
  case partialResultToken

  static let table = CaseTable(of: ParamName.self)

  /// The members that every request may have.
  fileprivate static let ofAll: [ParamName] = [.workDoneToken, .partialResultToken]
}

extension [ParamName] {
  /// Reports whether parameters with these members may have another one.
  func allow(_ name: ParamName) -> Bool { contains(name) || ParamName.ofAll.contains(name) }
}
