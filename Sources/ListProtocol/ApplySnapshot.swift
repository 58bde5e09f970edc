import JSONBytes
import JSONRPC
import ListDiff
import ListState

extension ListService {
  private static let applySnapshotMembers =
    ["list", "sections", "items", "snapshot", "latest"] + ChangeParams.members

  /// `applySnapshot`: makes a snapshot the current one of a list and tells the change.
  mutating func applySnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let ahead = takeReadAhead(of: message, range)
    let params =
      if let ahead { ahead.params } else {
        try Params(message, range, known: Self.applySnapshotMembers)
      }
    let name = try params.require("list").requireString()
    _ = try params["latest"]?.requireBoolean()
    let given = ["sections", "items", "snapshot"].filter { params[$0] != nil }
    guard given.count == 1 else {
      throw .invalidParams(
        "/params" + (given.isEmpty ? "" : "/" + given[1]),
        expected: "exactly one of sections, items and snapshot")
    }
    let telling = try Telling(params, offsetUnit, isTold: !isSubscribed(name))
    let read: ReadSnapshot
    if let reference = params["snapshot"] {
      read = ReadSnapshot(snapshot: try ordinarySnapshot(reference, in: message))
    } else if let snapshot = ahead?.snapshot {
      read = snapshot
    } else {
      var reader = SnapshotReader(message)
      reader.takesOutlineRows = takesOutlineRows
      read = ReadSnapshot(
        snapshot: try reader.read(
          sections: params["sections"], items: params["items"], &store))
    }
    // References may be to items that come with the snapshot.
    let change = try ChangeParams(
      params, name, store.ids, lines(of: name, afterChange: true), telling)
    try checkCancellation()
    if telling.format == .textEdits { try openText(of: name, spans: telling.text.spans) }
    let progress = Progress(
      of: .applySnapshot, params,
      rows: max(read.snapshot.rowCount, store.summary(of: name)?.rows ?? 0), singleLine, send)
    defer { progress?.end() }
    let changes: [ListChange]
    do {
      changes = try store.replace(name, with: read.snapshot, change.request, same: read.same)
    } catch {
      throw failure(error, change.named)
    }
    progress?.report("telling the change", percentage: 90)
    answer(changes, change.telling, to: &out)
  }
}

/// The parameters of a request that were read while its message was checked.
struct ReadAhead {
  let message: SharedBytes
  let range: Range<Int>
  let params: Params
  var snapshot: ReadSnapshot?
}

extension ListService {
  /// Reads the parameters of a request that come next in a message that has not been checked, so
  /// that large ones are passed once, and keeps them until the request is performed.
  ///
  /// Returns nil where there is something wrong or unusual: then the message is to be checked as a
  /// whole, and is read again by whoever performs the request. With an `arrival` the reader ends where
  /// the message has come to, and goes on to the whole of it.
  package mutating func readAhead(
    _ method: JSONString, _ message: SharedBytes, _ reader: inout JSONReader, _ arrival: Arrival?
  ) -> ParamsReading {
    readAhead = nil
    guard reader.matches(method, "applySnapshot"), (try? reader.peek()) == .object else {
      return .refused
    }
    let start = reader.offset
    var snapshot: ReadSnapshot?
    let params = Params(message, &reader, known: Self.applySnapshotMembers) {
      (name, params, reader) throws(Failure) -> Range<Int>? in
      guard name == "items" || name == "sections", snapshot == nil else { return nil }
      let start = reader.offset
      let named = params["list"]?.string
      if let named { store.settle(named) }
      let list = named.flatMap { try? store.list($0) }
      snapshot = try SnapshotReader(
        message, at: reader, earlier: list?.snapshot, arrival: arrival, isCancelled: isCancelled
      )
      .readAhead(isSections: name == "sections", "/params/\(name)", &reader, &store)
      let range = start..<reader.offset
      if let arrival { reader.extend(to: arrival.wait(message.count)) }
      return range
    }
    guard let params else {
      // Read again, there may be room.
      if store.ids.overflow != nil { store.sweep() }
      return isCancelled() ? .stopped : .refused
    }
    let range = start..<reader.offset
    readAhead = ReadAhead(message: message, range: range, params: params, snapshot: snapshot)
    return .read(range)
  }

  private mutating func takeReadAhead(
    of message: SharedBytes, _ range: Range<Int>?
  ) -> ReadAhead? {
    defer { readAhead = nil }
    guard let readAhead, readAhead.message === message, readAhead.range == range else {
      return nil
    }
    return readAhead
  }
}
