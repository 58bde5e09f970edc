import ByteBuffers
import JSONBytes
import ListState

/// `editSnapshot`: applies edits to a list as one change and answers with it.
struct EditSnapshot: ListRequest, ~Copyable {
  let list: [UInt8]
  var edits: Edits
  var change = ChangeParams()

  /// The edits as they were written, for failures.
  var value: Value?

  /// The edits if they are those of a folder, whose files are the items of the list.
  var folder: FolderEdit?

  static let members: ParamNames = [.list, .edits, .key, .dryRun] + ChangeParams.members

  mutating func perform(on service: inout ListService) throws(Failure) -> ChangeResult {
    let context = service.context
    if folder == nil { try service.checkNotFed(list) }
    if let folder {
      let outcome = try service.edit(folder, of: list, base: change.request.baseRevision)
      guard let made = outcome.edits, !folder.isDryRun else { return .plan(outcome) }
      edits = try service.readEdits(made, of: list)
      value = made
    }
    try service.openText(of: list, for: change.encoding)
    service.keepOldContents(of: list, change.encoding)
    context.beginProgress(
      of: .editSnapshot, rows: edits.rowCount ?? service.rowCount(of: list))
    let hasItems = edits.newContent.itemCount > 0
    let result: ChangeResult
    do throws(ListFailure) {
      if service.store.isOutline(list) {
        result = try editOutline(on: &service)
      } else {
        guard let made = try service.store.edit(list, &edits, change.request) else {
          preconditionFailure("no steps lead to the present revision")
        }
        result = service.report(made, of: change)
      }
    } catch { throw try service.failure(error, ofEdits: value, of: list, change.named) }
    if hasItems { service.store.addItemKey(context.itemKey?.names ?? [], of: list) }
    return result
  }

  /// Expands and collapses items of an outline.
  private func editOutline(on service: inout ListService) throws(ListFailure) -> ChangeResult {
    let made = try service.store.editOutline(list, edits.edits, change.request)
    for change in made.selections { service.reportSelection(change) }
    let result = service.report(made.changes, of: change)
    if !made.awaited.isEmpty { service.report(.expanded(list, made.awaited)) }
    service.noteExpansion()
    return result
  }
}

extension EditSnapshot {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    let list: [UInt8]
    var read: Edits?
    if case .edits(let edits, let name) = params.takeContent() {
      (list, read) = (name, edits)
    } else {
      list = try service.listName(params)
    }
    let value = try params.require(.edits, expected: "an array of edits")
    let isDryRun = try params[.dryRun]?.requireBoolean() ?? false
    var folder: FolderEdit?
    if service.canEditFolder(of: list) {
      folder = try FolderEdit(value, of: list, isDryRun: isDryRun)
    } else {
      try service.checkNotFed(list)
      if isDryRun { throw params[.dryRun]!.failure(expected: "the list of a folder beside it") }
    }
    // Many edits take several times the memory of their message, in small blocks.
    if value.message.count >= 1 << 16 { service.freedMemory += value.message.count }
    service.context.itemKey = try params[.key].map { key throws(Failure) in try ItemKey(key) }
    if read == nil { read = folder == nil ? try service.readEdits(value, of: list) : Edits() }
    // References may name items that the edits insert.
    let change = try ChangeParams(
      params, service, of: list, service.encoding(params, of: list))
    self.init(list: list, edits: read!, change: change, value: value, folder: folder)
  }
}

extension ListService {
  /// Reads edits of a list, and the items and sections that they insert.
  ///
  /// - Throws: -32602.
  mutating func readEdits(_ value: Value, of list: [UInt8]) throws(Failure) -> Edits {
    guard value.kind == .array else {
      _ = try value.requireElements()
      return Edits()
    }
    var reader = JSONReader(value.message.bytes, from: value.range.lowerBound)
    return try readEdits(value, of: list, &reader)
  }

  /// Reads an array of edits that may not have been checked, and moves `reader` to its end.
  mutating func readEdits(
    _ value: Value, of list: [UInt8], _ reader: inout JSONReader
  ) throws(Failure) -> Edits {
    let lines = lines(of: list, afterChange: true)
    var content = SnapshotReader(value.message, itemKey: context.itemKey)
    var edits = EditReader(value, reader)
    var read: [Edit] = []
    do throws(Failure) {
      while let edit = try edits.next(&content, &store, lines) { read.add(edit) }
    } catch { throw error.inEdit(read.count, of: value) }
    reader = edits.reader
    return Edits(read, newContent: content.finishGiven(), main: edits.main)
  }

  /// The number of rows of a list; 0 if it does not exist.
  func rowCount(of name: [UInt8]) -> Int { store.summary(of: name)?.rows ?? 0 }
}

extension Edits {
  /// The number of items and sections that the edits name or supply; `nil` if that is all items of
  /// the list.
  var rowCount: Int? {
    var count = 0
    for edit in edits {
      if case .deleteAllItems = edit { return nil }
      count += edit.size
    }
    return count
  }
}
