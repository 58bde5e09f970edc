import JSONBytes
import ListDiff
import ListState

extension SnapshotReader {
  /// Checks that all identifiers could be interned.
  func checkOverflow(_ ids: borrowing IDTable) throws(Failure) {
    if let overflow = ids.overflow { throw .overflow(overflow, position.listPointer) }
  }

  @inline(__always)
  mutating func waitIfNeeded() {
    guard reader.offset >= waitsFrom, let arrival else { return }
    waitsFrom = reader.awaitBytes(message, arrival)
  }

  /// Returns a value inside of the one that is being read.
  func value(_ range: Range<Int>) -> Value {
    position.list.map { Value(in: $0, range: range) }
      ?? Value(message: message, range: range)
  }

  /// Enters an array; an empty object counts as an empty array. Returns whether it may have elements.
  mutating func enterArray(_ pointer: (Position) -> String) throws(Failure) -> Bool {
    builder.recordDepth(reader.depth + 1)
    switch try peek() {
    case .array:
      try checkedOrRefused { () throws(JSONError) in try reader.openArray() }
      return true
    case .object:
      let range = try skip()
      guard value(range).elements != nil else { fallthrough }
      return false
    default: throw .invalidParams(pointer(position), expected: "an array")
    }
  }

  mutating func openObject() throws(Failure) {
    try checkedOrRefused { () throws(JSONError) in try reader.openObject() }
  }

  mutating func peek() throws(Failure) -> JSONKind {
    try checkedOrRefused { () throws(JSONError) in try reader.peek() }
  }

  /// Skips an array. Returns whether it is empty.
  mutating func skipEmptyArray() throws(Failure) -> Bool {
    try value(skip()).elements?.isEmpty == true
  }

  mutating func skip() throws(Failure) -> Range<Int> {
    try checkedOrRefused { () throws(JSONError) in try reader.skip() }
  }

  mutating func skipItem() throws(Failure) -> Range<Int> {
    try checkedOrRefused { () throws(JSONError) in
      try reader.object(seeking: Self.itemMembers, like: &shape, into: &found)
    }
  }

  mutating func nextElement() throws(Failure) -> Bool {
    waitIfNeeded()
    return try checkedOrRefused { () throws(JSONError) in try reader.nextElement() }
  }

  mutating func nextMember() throws(Failure) -> JSONString? {
    waitIfNeeded()
    return try checkedOrRefused { () throws(JSONError) in try reader.nextMember() }
  }
}

/// Reads a value that may not have been checked. Throws if it is not valid JSON.
@inline(__always)
func checkedOrRefused<Result>(
  _ read: () throws(JSONError) -> Result
) throws(Failure) -> Result {
  do { return try read() } catch { throw .parseError(error) }
}

/// A snapshot that was read, and the items whose bytes are those of the list's present snapshot.
struct ReadSnapshot {
  var snapshot: Snapshot
  var same: [MatchedRun] = []
}
