import ByteBuffers
import JSONBytes
import JSONRPC
import ListState

/// The values that a request names, for failures that report which of them is at fault.
struct NamedValues {
  var items: [Value] = []
  var sections: [Value] = []
  var cursor: Value?

  /// The item that a window is to be anchored to.
  var anchor: Value?
}

extension Failure {
  /// The failure of an operation on a list, with the values that the request names as they were
  /// written.
  static func list(
    _ failure: ListFailure, _ named: NamedValues, lists: [[UInt8]]
  ) -> Failure {
    var data = FailureData()
    switch failure {
    case .listNotFound(let name):
      let text = String(decoding: name, as: UTF8.self)
      data.add("list", wtf8: name)
      let nearest = text.nearest(among: lists.map { String(decoding: $0, as: UTF8.self) })
      if let nearest { data.add("nearest", nearest) }
      return Failure(
        .listNotFound,
        "no list \"\(text)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""),
        data: data.bytes)
    case .revisionNotFound(let name, let revision, let oldest, let current):
      data.add("list", wtf8: name)
      data.add("revision", revision)
      data.add("oldest", oldest)
      data.add("current", current)
      return Failure(
        .revisionNotFound, "revision \(revision) is not kept, only \(oldest) to \(current)",
        data: data.bytes)
    case .staleRevision(let name, let base, let current):
      data.add("list", wtf8: name)
      data.add("baseRevision", base)
      data.add("current", current)
      return Failure(
        .staleRevision, "the list is at revision \(current), not \(base)", data: data.bytes)
    case .itemsNotFound(let indices, let isCursor):
      return .itemsNotFound(
        named.items.at(indices).adding(isCursor ? named.cursor : nil),
        indices.isEmpty ? "the row for the cursor is not in the list" : nil)
    case .anchorNotFound: return .itemsNotFound(named.anchor.map { [$0] } ?? [])
    case .notSelectable(let indices):
      data.add("items") { $0.append(values: named.items.at(indices)) }
      return Failure(
        .notSelectable,
        indices.count == 1
          ? "an item cannot be selected" : "\(indices.count) items cannot be selected",
        data: data.bytes)
    case .cancelled: return .cancelled
    case .itemsOutsideSection(let indices):
      return .invalidParams(
        named.items.at(indices).first?.pointer ?? "/params/items",
        expected: "an item of the section that is named")
    case .compositeTooLarge(let name, let size, let limit):
      data.add("list", wtf8: name)
      data.add("sections", size.sections)
      data.add("items", size.items)
      data.add("rows", size.rows)
      data.add("bytes", size.bytes)
      data.add("limit") { $0.append(size: limit) }
      return Failure(
        .compositeTooLarge,
        "the composite \"\(String(decoding: name, as: UTF8.self))\" would hold too much",
        data: data.bytes)
    case .sectionNotFound: return .sectionsNotFound(named.sections)
    case .readOnly(let name, let sources):
      data.add("list", wtf8: name)
      data.add("sources") { $0.append(names: sources) }
      return Failure(
        .readOnlyList, "the list is made of others; change those", data: data.bytes)
    case .cycle(let names):
      data.add("cycle") { $0.append(names: names) }
      return Failure(
        .compositionCycle, "the list would be a source of itself", data: data.bytes)
    case .ordinaryList(let name):
      return .invalidParams(
        "/params/list", expected: "the name of a composite or of no list",
        "/params/list: \"\(String(decoding: name, as: UTF8.self))\" is an ordinary list")
    case .overflow(let overflow): return .overflow(overflow, "/params")
    case .edit(let index, _): preconditionFailure("the values of edit \(index) are missing")
    }
  }
}

extension Failure {
  /// There is no room for the identifiers of a part of a message.
  static func overflow(_ overflow: IDOverflow, _ pointer: String) -> Failure {
    let expected =
      switch overflow {
      case .length(let limit): "identifiers of at most \(limit) bytes each"
      case .bytes(let limit): "at most \(limit) bytes of identifiers in all lists"
      case .keys(let limit): "at most \(limit) identifiers in all lists"
      }
    return .invalidParams(pointer, expected: expected)
  }

  static func itemsNotFound(_ missing: [Value], _ message: String? = nil) -> Failure {
    var data = FailureData()
    data.add("missing") { $0.append(values: missing) }
    return Failure(
      .itemNotFound,
      message
        ?? (missing.count == 1
          ? "an item is not in the list" : "\(missing.count) items are not in the list"),
      data: data.bytes)
  }

  static func sectionsNotFound(_ missing: [Value]) -> Failure {
    var data = FailureData()
    data.add("missing") { $0.append(values: missing) }
    let message =
      switch missing.count {
      case 0: "the list has no section"
      case 1: "a section is not in the list"
      default: "\(missing.count) sections are not in the list"
      }
    return Failure(.sectionNotFound, message, data: data.bytes)
  }
}

extension [Value] {
  /// Returns the values at some indices. A request that was not read from JSON has no values.
  func at(_ indices: [Int]) -> [Value] { indices.lazy.filter { $0 < count }.map { self[$0] } }

  /// Returns the values and one more, unless an equal one is among them.
  func adding(_ value: Value?) -> [Value] {
    guard let value, !contains(where: { JSONEquality.equal($0.bytes, value.bytes) }) else {
      return self
    }
    return self + [value]
  }
}

extension ByteBuffer {
  /// Appends names as an array of strings.
  mutating func append(names: [[UInt8]]) {
    append(0x5B)
    for (index, name) in names.enumerated() {
      if index > 0 { append(0x2C) }
      name.withUnsafeBytes { append(string: $0) }
    }
    append(0x5D)
  }

  /// Appends the size of a composite as an object.
  fileprivate mutating func append(size: SnapshotSize) {
    append("{\"sections\":")
    append(decimal: size.sections)
    append(member: "items", size.items)
    append(member: "rows", size.rows)
    append(member: "bytes", size.bytes)
    append("}")
  }

  /// Appends values of a message as an array on one line.
  mutating func append(values: [Value]) {
    append(0x5B)
    for (index, value) in values.enumerated() {
      if index > 0 { append(0x2C) }
      append(json: value.bytes, singleLine: true)
    }
    append(0x5D)
  }
}
