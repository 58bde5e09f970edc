import ByteBuffers
import JSONBytes

/// What the daemon fills a list with, as a client asked for it.
package struct FeedSource: Sendable {
  /// A command, a file or a folder.
  package enum Kind: Sendable {
    case command(FeedCommand)

    /// A file whose rows are read again when it changes, or whose appended rows are appended.
    case file(path: String, follows: Bool)
    case folder(FeedFolder)
  }

  /// The format of rows.
  package enum RowFormat: String, CaseIterable, Sendable {
    case lines, ndjson, csv, tsv, json
  }

  package var kind: Kind
  package var format = RowFormat.lines

  /// The members, columns or fields that identify a row; empty if rows are identified otherwise.
  package var key: [String] = []

  /// The members of the section that the feed makes beside its items, each with a comma before it.
  package internal(set) var sectionMembers: [UInt8] = []

  /// The source as the client wrote it.
  let written: SharedBytes

  var isFolder: Bool { if case .folder = kind { true } else { false } }
}

/// A command whose output is rows.
package struct FeedCommand: Sendable {
  /// The program and its arguments.
  package var words: [String]
  package var directory: String?

  /// The variables that the command's environment has or lacks in addition to the daemon's.
  package var environment: [(name: String, value: String?)] = []

  /// The time in milliseconds from the end of a run to the next; `nil` if there is one run.
  package var interval: Int?
}

extension FeedSource {
  private static let members: ParamNames = [
    .command, .cwd, .env, .format, .every, .file, .follow, .folder, .depth, .hidden, .ignored,
    .watch, .templates, .identity,
  ]
  private static let ofFolders: [ParamName] = [
    .depth, .hidden, .ignored, .watch, .templates, .identity,
  ]
  private static let shortestInterval = 100

  /// Reads the member `from` of a request, and its key.
  init(_ value: Value, key: Value?) throws(Failure) {
    let params = try Params(value)
    try params.check(known: Self.members)
    try params.requireOne(
      of: .command, .file, .folder, expected: "exactly one of command, file and folder")
    if let words = params[.command] {
      try params.refuse([.follow] + Self.ofFolders, expected: "a member of the source of a command")
      kind = .command(try FeedCommand(words, params, shortestInterval: Self.shortestInterval))
    } else if params[.folder] != nil {
      try params.refuse(
        [.cwd, .env, .every, .format, .follow], expected: "a member of the source of a folder")
      kind = .folder(try FeedFolder(params))
    } else {
      try params.refuse(
        [.cwd, .env, .every] + Self.ofFolders, expected: "a member of the source of a file")
      kind = .file(
        path: try params.require(.file).requireText(),
        follows: try params[.follow]?.requireBoolean() ?? false)
    }
    if let format = params[.format] { self.format = try format.requireChoice(of: RowFormat.self) }
    if let key { self.key = try Self.key(key) }
    written = SharedBytes(copying: value.bytes)
  }

  /// Reads a key: the name of a member or column, or of several. Those of lines are numbers from 1, or
  /// names in the first line.
  private static func key(_ value: Value) throws(Failure) -> [String] {
    var names: [String] = []
    for part in value.elements ?? [value] {
      if part.integer == nil, part.kind != .string {
        throw part.failure(expected: "the name of a member, or the number of a field")
      }
      if let number = part.integer {
        names.append("\(number)")
      } else {
        names.append(try part.requireText())
      }
    }
    guard !names.isEmpty else { throw value.failure(expected: "at least one member") }
    return names
  }
}

extension FeedSource {
  /// Why the system cannot take the source, as a message for people; `nil` if it can.
  package var problem: String? {
    let texts: [String]
    switch kind {
    case .file(let path, _): texts = [path]
    case .folder(let folder): texts = [folder.path]
    case .command(let command):
      for (name, _) in command.environment where name.isEmpty || name.utf8.contains(0x3D) {
        return "\"\(name)\" is not the name of a variable"
      }
      texts =
        command.words + [command.directory ?? ""]
        + command.environment.flatMap { [$0.name, $0.value ?? ""] }
    }
    return texts.contains { $0.utf8.contains(0) } ? "a name or an argument has a NUL" : nil
  }
}

extension FeedCommand {
  fileprivate init(
    _ value: Value, _ params: borrowing Params, shortestInterval: Int
  ) throws(Failure) {
    words = try value.requireElements { word throws(Failure) in try word.requireText() }
    if words.isEmpty { throw value.failure(expected: "a program and its arguments") }
    directory = try params[.cwd]?.requireText()
    if let variables = params[.env] {
      guard let members = variables.members else {
        throw variables.failure(expected: "an object of strings")
      }
      for (name, value) in members {
        environment.append((name, value.kind == .null ? nil : try value.requireText()))
      }
    }
    guard let every = params[.every] else { return }
    guard let milliseconds = every.integer, milliseconds >= shortestInterval else {
      throw every.failure(expected: "an integer that is \(shortestInterval) or more")
    }
    interval = milliseconds
  }
}

extension Params {
  /// Checks that some members are absent.
  fileprivate func refuse(_ names: [ParamName], expected: String) throws(Failure) {
    for name in names {
      if let value = self[name] { throw value.failure(expected: expected) }
    }
  }
}
