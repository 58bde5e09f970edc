import JSONBytes

/// The names of the members of parameters, and of the objects in them.
enum ParamName: String, CaseIterable {
  case list, sections, items, key, snapshot, edits, sources, view
  case baseRevision, format, content, moves, maxOps, selected, cursor, cursorPolicy, latest
  case temporary
  case spans, selectedLines, since, sinceText, lines, text, window, templates
  case action, section, paths, match, from, to, direction, count
  case id, occurrence, source, path, revision, line, textRevision
  case edit, before, after, deep
  case `where`, distinct, tree, sort, selection, selectionMode, allowsEmptySelection
  case parent, open, by, order, `as`, start, item, query, members, `case`
  case value
  case allowsEdits, command, cwd, env, every, file, follow
  case folder, depth, hidden, ignored, watch, identity
  case state, dryRun
  /// The token of the progress of a request, which any request may have.
  case workDoneToken
  /// A member of many requests of the Language Server Protocol, which is ignored.
  case partialResultToken

  static let table = CaseTable(of: ParamName.self)

  /// The name as an element of a set.
  var bit: UInt128 { 1 &<< UInt128(CaseTable.number(of: self)) }
}

/// Names of members in an order, also as a set.
struct ParamNames: ExpressibleByArrayLiteral {
  let names: [ParamName]

  /// The names and those that every request may have, as a set.
  let bits: UInt128

  /// The members that every request may have.
  private static let ofAll: [ParamName] = [.workDoneToken, .partialResultToken]
  static let wordsOfAll = ofAll.map { $0.rawValue }

  init(_ names: [ParamName]) {
    self.names = names
    bits = names.reduce(Self.ofAll.reduce(0) { $0 | $1.bit }) { $0 | $1.bit }
  }

  init(arrayLiteral names: ParamName...) { self.init(names) }

  static func + (names: ParamNames, others: ParamNames) -> ParamNames {
    ParamNames(names.names + others.names)
  }
}
