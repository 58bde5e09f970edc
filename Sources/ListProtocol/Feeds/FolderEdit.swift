import ByteBuffers
import JSONBytes
import JSONRPC

/// What a client asks for in a folder whose files are the items of a list.
package struct FolderEdit: Sendable {
  /// A change of one file.
  package enum Change: Sendable {
    /// The file with an identifier gets another name or path, if these differ.
    case update(id: String, Names)

    /// An empty file or folder is made in the folder with an identifier, or at the top.
    case insert(name: [UInt8], isFolder: Bool, parent: String?)

    /// The file with an identifier is moved to the trash.
    case delete(id: String)
  }

  /// The members of an item that say what a file is called; `nil` if they are absent.
  package struct Names: Sendable {
    package var name: [UInt8]?
    package var path: [UInt8]?

    /// The name if that is not UTF-8.
    package var bytes: [UInt8]?
  }

  package var changes: [Change] = []

  /// Whether the edit is only described.
  package var isDryRun = false
}

extension FolderEdit {
  /// Reads the edits of a request.
  ///
  /// - Throws: -32602; -31007 for edits that a folder does not take.
  init(_ edits: Value, of list: [UInt8], isDryRun: Bool) throws(Failure) {
    self.isDryRun = isDryRun
    for (index, edit) in try edits.requireElements().enumerated() {
      do throws(Failure) { try read(edit, of: list) } catch {
        throw error.inEdit(index, of: edits)
      }
    }
  }

  private mutating func read(_ edit: Value, of list: [UInt8]) throws(Failure) {
    let params = try Params(edit)
    let kind = try params.require(.edit, expected: "the name of an edit")
      .requireChoice(of: EditReader.Kind.self)
    guard [.updateItems, .insertItems, .deleteItems].contains(kind) else { throw .fedList(list) }
    try params.check(known: [.edit, .items])
    for item in try params.require(.items, expected: "an array").requireElements() {
      switch kind {
      case .updateItems:
        let names = Names(
          name: try item.given("name")?.requireString(),
          path: try item.given("path")?.requireString(), bytes: try item.given("bytes")?.base64())
        changes.append(.update(id: try item.require("id").requireText(), names))
      case .insertItems:
        let isFolder = try item.require("type").requireWord("file", "folder") == 1
        changes.append(
          .insert(
            name: try item.require("name").requireString(), isFolder: isFolder,
            parent: try item.given("parent")?.requireText()))
      default:
        changes.append(
          .delete(
            id: try (item.kind == .string ? item : item.require("id")).requireText()))
      }
    }
  }
}

extension Value {
  fileprivate func require(_ name: String) throws(Failure) -> Value {
    guard kind == .object else { throw failure(expected: "an object") }
    guard let value = given(name) else {
      throw .missing(pointer.appending(member: name), expected: "a string")
    }
    return value
  }

  fileprivate func base64() throws(Failure) -> [UInt8] {
    guard let bytes = Base64.bytes(of: try requireString()) else {
      throw failure(expected: "Base64")
    }
    return bytes
  }
}

/// What an edit of a folder has done, or would do, as the program reports it in a message of the feed's
/// connection.
struct FolderOutcome {
  /// The member `edit` of the message's params.
  private let value: Value

  init(_ message: SharedBytes) {
    let all = Value(message)
    value = all["params"]?["edit"] ?? all
  }

  /// The edits of the list; `nil` if the folder was not changed.
  var edits: Value? { value["edits"] }

  /// The problems as they were written; `nil` if there are none.
  var problems: Value? {
    value["problems"].flatMap { $0.elements?.isEmpty == false ? $0 : nil }
  }

  /// Why the folder was not changed, for people.
  var why: String { value["why"]?.text ?? "" }

  /// Appends the result of a dry run.
  func append(to out: inout ByteBuffer) {
    out.append("{")
    for name in ["changes" as StaticString, "problems"] {
      out.append(member: name)
      if let part = value["\(name)"] { out.append(part.bytes) } else { out.append("[]") }
    }
    out.append("}")
  }
}

extension ListService {
  /// Returns whether the current client may edit the folder of a list.
  func canEditFolder(of list: [UInt8]) -> Bool {
    guard let feed = fed[list] else { return false }
    return feed.allowsEdits && feed.number != context.client
  }

  /// Edits the folder of a list, or describes what that would do. The edit is undone if the request
  /// fails later.
  ///
  /// - Throws: -31003, and -31014 if the folder is not changed.
  mutating func edit(
    _ edit: FolderEdit, of list: [UInt8], base: Int?
  ) throws(Failure) -> FolderOutcome {
    guard let feed = fed[list], let program = feedProgram else { throw .fedList(list) }
    let revision = store.peek(list)?.revision ?? 0
    if let base, base != revision {
      throw failure(.staleRevision(list, base: base, current: revision))
    }
    guard let message = program.edit(edit, feed.number) else {
      throw .feedFailed(list, why: "the folder cannot be edited")
    }
    fed.outcomes.append((feed.number, message))
    let outcome = FolderOutcome(message)
    if edit.isDryRun { return outcome }
    guard let edits = outcome.edits else {
      throw .feedFailed(list, why: outcome.why, problems: outcome.problems)
    }
    fed.editedFeed = feed.number
    fed.madeEdits = edits
    return outcome
  }

  /// Ends the edit of a folder in the current request, which is kept or undone.
  mutating func finishFolderEdit(keeps: Bool) {
    if let number = fed.editedFeed { feedProgram?.finishEdit(number, keeps) }
    (fed.editedFeed, fed.madeEdits) = (nil, nil)
  }

  /// Removes and returns what edits of folders have done in the current message, in order, as messages
  /// of the connections of feeds.
  package mutating func takeFolderOutcomes() -> [(feed: Int, message: SharedBytes)] {
    defer { fed.outcomes = [] }
    return fed.outcomes
  }

  /// Returns what an edit of a folder has done if a message of a connection describes that.
  package static func isFolderOutcome(_ message: SharedBytes) -> Bool {
    guard (try? Message.read(message.bytes)) != nil else { return false }
    let all = Value(message)
    return all["method"]?.string == Array(Method.didFeed.rawValue.utf8)
      && all["params"]?["edit"] != nil
  }
}
