import JSONBytes
import ListState

extension ListService {
  /// `editSnapshot`: makes edits of a list as one change and tells it.
  mutating func editSnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["list", "edits"] + ChangeParams.members)
    let name = try listName(params)
    let value = try params.require("edits", expected: "an array of edits")
    // Many edits take several times the memory of their message, in small blocks.
    if message.count >= 1 << 16 { freedMemory += message.count }
    let lines = lines(of: name, afterChange: true)
    var edits = try readEdits(value, lines)
    // References may be to items that come with the edits.
    let change = try ChangeParams(
      params, name, store.ids, lines,
      Telling(params, offsetUnit, isTold: !isSubscribed(name)))
    try checkCancellation()
    if change.telling.format == .textEdits {
      try openText(of: name, spans: change.telling.text.spans)
    }
    do throws(ListFailure) {
      if store.isOutline(name) {
        let made = try store.editOutline(name, edits.edits, change.request)
        for selected in made.selectedBefore { noteSelected(selected) }
        answer(made.changes, change.telling, to: &out)
        for selected in made.selectedAfter { noteSelected(selected) }
        if !made.awaited.isEmpty { note(.expanded(name, made.awaited)) }
      } else if needsNoSnapshots(name, change.telling),
        let made = try store.editTree(name, &edits, change.request)
      {
        answer(edits: made, change.telling, to: &out)
      } else {
        let progress = Progress(
          of: .editSnapshot, params, rows: store.summary(of: name)?.rows ?? 0, singleLine, send)
        defer { progress?.end() }
        answer(try store.edit(name, edits, change.request), change.telling, to: &out)
      }
    } catch { throw try failure(error, ofEdits: value, change.named) }
  }

  /// The failure of a request with edits, which are `value`.
  mutating func failure(
    _ error: ListFailure, ofEdits value: Value, _ named: Named
  ) throws(Failure) -> Failure {
    guard case .edit(let index, let problem) = error else { return failure(error, named) }
    // What an edit named is not kept of all of them.
    var elements = ValueElements(value)
    for _ in 0..<index { _ = elements.next() }
    let lines = lines(of: named.list)
    let names = try EditReader.names(of: elements.next()!, &store, lines)
    return .edit(problem, names, list: named.list, store.ids).inEdit(index)
  }

  /// Reads edits, with all that they bring.
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
        throw error.inEdit(edits.count)
      }
    }
    return Edits(edits, newContent: reader.finish())
  }

  /// Whether a change of a list can be reported to everybody without whole snapshots.
  func needsNoSnapshots(_ name: [UInt8], _ telling: Telling) -> Bool {
    telling.format != .textEdits
      && ([name] + store.dependents(of: name)).allSatisfy {
        !book.hasText($0) && !hasTextSubscriber($0)
      }
  }

  /// Answers a request with what edits have done to a list, and notes that and what they have done to
  /// composites.
  mutating func answer(
    edits changes: [EditChange], _ telling: Telling, to out: inout ByteBuffer
  ) {
    append(changes[0], telling, to: &out)
    out.append("}")
    for change in changes { note(.edited(change)) }
  }

  /// Appends what edits have done to a list, without the closing brace.
  mutating func append(_ change: EditChange, _ telling: Telling, to out: inout ByteBuffer) {
    out.append(openingFor: change.name)
    out.append(member: "baseRevision", change.baseRevision)
    out.append(member: "revision", change.revision)
    append(
      SnapshotChange(change), from: Snapshot(), to: Snapshot(), edits: change, telling,
      nil, to: &out)
    out.append(selection: change.selection, cursor: change.cursor)
    out.append(list: "deselected", change.deselected.count) { place, out in
      let item = change.deselected[place]
      out.append("{")
      out.append(idOf: item.key, store.ids)
      out.append("\"at\":")
      out.append(item.at)
      out.append(item.gone ? ",\"gone\":true}" : ",\"gone\":false}")
    }
    out.append(numbersOf: change.numbers)
  }
}
