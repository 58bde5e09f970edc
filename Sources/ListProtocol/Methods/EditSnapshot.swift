import ByteBuffers
import ListState

extension ListService {
  private static let editSnapshotMembers: [ParamName] = [.list, .edits] + ChangeParams.members

  /// `editSnapshot`: applies edits to a list as one change and answers with it.
  mutating func editSnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: Self.editSnapshotMembers)
    let name = try listName(params)
    let value = try params.require(.edits, expected: "an array of edits")
    // Many edits take several times the memory of their message, in small blocks.
    if message.count >= 1 << 16 { freedMemory += message.count }
    let lines = lines(of: name, afterChange: true)
    var edits = try readEdits(value, lines)
    // References may name items that the edits insert.
    let change = try ChangeParams(
      params, of: name, store.ids, lines: lines,
      encoding: ChangeEncoding(params, offsetUnit, isWanted: !isSubscribed(name)))
    try checkCancellation()
    if change.encoding.format == .textEdits {
      try openText(of: name, spans: change.encoding.text.spans)
    }
    var progress = Progress(
      of: .editSnapshot, params, rows: edits.rowCount ?? listRows(name), singleLine, send)
    defer { progress?.end() }
    do throws(ListFailure) {
      if store.isOutline(name),
        let made = try store.editLiveOutline(name, edits.edits, change.request)
      {
        answer(edits: made.changes, change.encoding, to: &out)
        if !made.awaited.isEmpty { report(.expanded(name, made.awaited)) }
      } else if store.isOutline(name) {
        let made = try store.editOutline(name, edits.edits, change.request)
        for selected in made.selectedBefore { reportSelection(selected) }
        answer(made.changes, change.encoding, to: &out)
        for selected in made.selectedAfter { reportSelection(selected) }
        if !made.awaited.isEmpty { report(.expanded(name, made.awaited)) }
      } else if let made = try store.editTree(name, &edits, change.request) {
        answer(edits: made, change.encoding, to: &out)
      } else {
        if progress == nil {
          progress = Progress(
            of: .editSnapshot, params, rows: listRows(name), singleLine, send)
        }
        answer(try store.edit(name, edits, change.request), change.encoding, to: &out)
      }
    } catch { throw try failure(error, ofEdits: value, change.named) }
  }

  /// Returns the failure of a request whose edits are `value`.
  mutating func failure(
    _ error: ListFailure, ofEdits value: Value, _ named: NamedValues
  ) throws(Failure) -> Failure {
    guard case .edit(let index, let problem) = error else { return failure(error, named) }
    // The values that an edit names are not kept; the edit is read again.
    var elements = ValueElements(value)
    for _ in 0..<index { _ = elements.next() }
    let lines = lines(of: named.list)
    let names = try EditReader.names(of: elements.next()!, &store, lines)
    return .edit(problem, names, list: named.list, store.ids).inEdit(index, of: value)
  }

  /// Reads edits, and the items and sections that they insert.
  ///
  /// - Throws: -32602.
  mutating func readEdits(
    _ value: Value, _ lines: LineReferences?
  ) throws(Failure) -> Edits {
    guard value.kind == .array else {
      _ = try value.requireElements()
      return Edits()
    }
    var reader = EditReader(value.message, lines)
    var elements = ValueElements(value)
    var edits: [Edit] = []
    while let element = elements.next() {
      do throws(Failure) { edits.append(try reader.read(element, &store)) } catch {
        throw error.inEdit(edits.count, of: value)
      }
    }
    return Edits(edits, newContent: reader.finish())
  }

  /// Returns the number of rows of a list.
  func listRows(_ name: [UInt8]) -> Int { store.summary(of: name)?.rows ?? 0 }

  /// Answers a request with the change that edits made to a list, and reports it and the changes of
  /// composites to subscribers.
  mutating func answer(
    edits changes: [EditChange], _ encoding: ChangeEncoding, to out: inout ByteBuffer
  ) {
    for (index, change) in changes.enumerated() {
      let text = updateText(of: change.name, .edits(change))
      if index == 0 {
        append(change, encoding, text, to: &out)
        out.append("}")
      }
      report(.edited(change, text))
    }
  }

  /// Appends the change that edits made to a list, without the closing brace. If the text of the
  /// list is kept, it has been updated.
  mutating func append(
    _ change: EditChange, _ encoding: ChangeEncoding, _ text: TextChange?, to out: inout ByteBuffer
  ) {
    out.append(openingFor: change.name)
    out.append(member: "baseRevision", change.baseRevision)
    out.append(member: "revision", change.revision)
    append(membersOf: change, encoding, text, to: &out)
    append(text, of: change.name, encoding, to: &out)
    out.append(selection: change.selection, cursor: change.cursor)
    out.append(list: "deselected", change.deselected.count) { index, out in
      let item = change.deselected[index]
      out.append("{")
      out.append(idOf: item.key, store.ids)
      out.append("\"at\":")
      out.append(item.at)
      out.append(item.isDeleted ? ",\"gone\":true}" : ",\"gone\":false}")
    }
    out.append(numbersOf: change.numbers)
  }
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
