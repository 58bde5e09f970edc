import ByteBuffers
import JSONBytes
import JSONRPC
import ListState

extension ListService {
  /// The number of bytes of items below which they are not compared with those of the list.
  private static let fewBytes = 1024

  /// Reads the parameters of a request in the pass in which its message is checked, with the snapshot
  /// of an `applySnapshot` and the edits of an `editSnapshot`.
  ///
  /// Returns `.refused` if anything is invalid or unusual; the message must then be checked as a
  /// whole, and the parameters are read when the request is performed. With an `arrival`, `reader`
  /// ends at the bytes received so far, and is extended to the whole message.
  package mutating func read(
    _ params: inout Params, of method: Method, _ message: SharedBytes, _ reader: inout JSONReader,
    _ arrival: PartialMessage?
  ) -> ParamsReading {
    let beginning = reader
    do throws(JSONError) {
      if try reader.peek() == .object,
        try readObject(&params, of: method, message, &reader, arrival), let range = params.range
      {
        return .read(range)
      }
    } catch {}
    params = Params()
    // After the sweep, the second reading may find room.
    if store.ids.overflow != nil { store.sweep() }
    if method == .applySnapshot, context.isCancelled { return .stopped }
    reader = beginning
    if let arrival { reader.extend(to: arrival.wait(message.count)) }
    return .refused
  }

  /// Reads the members of an object. Returns false if they must be read again.
  private mutating func readObject(
    _ params: inout Params, of method: Method, _ message: SharedBytes, _ reader: inout JSONReader,
    _ arrival: PartialMessage?
  ) throws(JSONError) -> Bool {
    var isRefused = false
    let object = Value(message: message, range: reader.offset..<reader.offset, .params)
    try params.read(object, &reader) { (name, params, reader) in
      switch (method, name) {
      case (.applySnapshot, .items), (.applySnapshot, .sections), (.editSnapshot, .edits): break
      default: return nil
      }
      if params.hasContent { isRefused = true }
      guard (try? reader.peek()) != nil else { return nil }
      let start = reader.offset
      do throws(Failure) {
        context.itemKey = try params[.key].map { key throws(Failure) in try ItemKey(key) }
        if method == .editSnapshot {
          try readEditsOfList(&params, message, &reader)
        } else {
          try readSnapshot(&params, isSections: name == .sections, message, &reader, arrival)
        }
      } catch {
        isRefused = true
        return nil
      }
      return start < reader.offset ? start..<reader.offset : nil
    }
    // The members that identify the items may be named after these.
    let isKeyKnown = !params.hasContent || context.itemKey != nil || params[.key] == nil
    return params.isUsual && !isRefused && isKeyKnown
  }

  private mutating func readSnapshot(
    _ params: inout Params, isSections: Bool, _ message: SharedBytes, _ reader: inout JSONReader,
    _ arrival: PartialMessage?
  ) throws(Failure) {
    // Few items are read faster than they are looked for.
    let isShort = message.count - reader.offset < Self.fewBytes
    let list = isShort ? nil : params[.list].flatMap { name($0) }
    let earlier = list.flatMap { store.content(of: $0, identifiedBy: context.itemKey?.names ?? []) }
    var items = SnapshotReader(
      message, at: reader, itemKey: context.itemKey, earlier: earlier, arrival: arrival,
      isCancelled: store.isCancelled)
    params.content = .snapshot(try items.readAhead(isSections: isSections, &reader, &store))
    if let arrival { reader.extend(to: arrival.wait(message.count)) }
  }

  /// Reads the edits of a list that exists, unless they are those of a folder.
  private mutating func readEditsOfList(
    _ params: inout Params, _ message: SharedBytes, _ reader: inout JSONReader
  ) throws(Failure) {
    guard let value = params[.list], let list = name(value), store.contains(list),
      !canEditFolder(of: list), (try? reader.peek()) == .array
    else { return }
    let edits = Value(message: message, range: reader.offset..<message.count, .edits)
    params.content = .edits(try readEdits(edits, of: list, &reader), of: list)
  }
}
