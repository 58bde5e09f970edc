import ByteBuffers
import ListState

extension ListService {
  /// `compose`: makes a list of the sections of others and answers with the change.
  mutating func compose(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range, known: [.list, .sources, .view, .latest] + ChangeParams.members)
    let name = try params.require(.list).requireString()
    _ = try params[.latest]?.requireBoolean()
    let sources = try composedSources(of: name, params)
    var change = try ChangeParams(
      params, of: name, store.ids, lines: lines(of: name, afterChange: true),
      encoding: ChangeEncoding(params, offsetUnit, isWanted: !isSubscribed(name)))
    var view: ViewRequest?
    if let value = params[.view] {
      // The definition outlives the message.
      let copy = value.copied(at: "/params/view")
      let (definition, anchor) = try ViewReader.read(copy)
      let reference = try anchor.map { anchor throws(Failure) in
        try ItemReference.read(anchor, store.ids, lines(of: name))
      }
      view = ViewRequest(definition, anchor: reference)
      change.named.anchor = anchor
    }
    try checkCancellation()
    if change.encoding.format == .textEdits {
      try openText(of: name, spans: change.encoding.text.spans)
    }
    do throws(ListFailure) {
      if let view,
        let made = try store.moveWindow(of: name, sources, view, change.request)
      {
        return answer(edits: made, change.encoding, to: &out)
      }
    } catch { throw failure(error, change.named) }
    let rows = sources.reduce(0) { $0 + (store.summary(of: $1)?.rows ?? 0) }
    let progress = Progress(
      of: .compose, params, rows: max(rows, store.summary(of: name)?.rows ?? 0), singleLine, send)
    defer { progress?.end() }
    let made:
      (
        changes: [ListChange], selectedBefore: [SelectionChange], selectedAfter: [SelectionChange]
      )
    do { made = try store.compose(name, of: sources, as: view, change.request) } catch {
      throw failure(error, change.named)
    }
    for change in made.selectedBefore { reportSelection(change) }
    answer(made.changes, change.encoding, to: &out)
    for change in made.selectedAfter { reportSelection(change) }
  }

  /// Returns the sources that the request names, or those that the composite has already.
  private func composedSources(
    of name: [UInt8], _ params: Params
  ) throws(Failure) -> [[UInt8]] {
    if params[.sources] == nil, params[.view] != nil || params.isNull(.view),
      let sources = store.peek(name)?.sources
    {
      return sources
    }
    let sources = try params.require(.sources, expected: "an array of names").requireElements()
    var names: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    for source in sources {
      guard let name = source.string, !name.contains(0x2F) else {
        throw source.failure(expected: "the name of a list, without \"/\"")
      }
      guard known.insert(name).inserted else {
        throw source.failure(expected: "a list that is not a source already")
      }
      names.append(name)
    }
    return names
  }
}

extension Value {
  /// Copies the value, which is at a pointer, into a message of its own.
  func copied(at pointer: StaticString) -> Value {
    let copy = SharedBytes(copying: bytes)
    return Value(message: copy, range: 0..<copy.count, pointer: pointer)
  }
}

extension ByteBuffer {
  /// Appends the numbers of a view, after a comma; for other lists, appends nothing.
  mutating func append(numbersOf numbers: ViewNumbers?) {
    guard let numbers else { return }
    append(",\"view\":{\"start\":")
    append(decimal: numbers.start)
    append(member: "matched", numbers.matched)
    append(member: "total", numbers.total)
    if let shown = numbers.shown { append(member: "shown", shown) }
    append("}")
  }
}
