import ByteBuffers
import JSONBytes
import JSONRPC
import ListState

/// The values that a request names, for failures that report which of them is at fault.
struct NamedValues {
  /// The array of the items.
  var items: Value?
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
    func items(_ indices: [Int]) -> [Value] { (named.items?.elements ?? []).at(indices) }
    switch failure {
    case .listNotFound(let name):
      let text = String(decoding: name, as: UTF8.self)
      let nearest = text.nearest(among: lists.map { String(decoding: $0, as: UTF8.self) })
      return Failure(
        .listNotFound,
        "no list \"\(text)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""),
        data: ["list": .name(name), "nearest": nearest.map { .text($0) }])
    case .revisionNotFound(let name, let revision, let oldest, let current):
      return Failure(
        .revisionNotFound, "revision \(revision) is not kept, only \(oldest) to \(current)",
        data: [
          "list": .name(name), "revision": .number(revision), "oldest": .number(oldest),
          "current": .number(current),
        ])
    case .staleRevision(let name, let base, let current):
      return Failure(
        .staleRevision, "the list is at revision \(current), not \(base)",
        data: ["list": .name(name), "baseRevision": .number(base), "current": .number(current)])
    case .itemsNotFound(let indices, let isCursor):
      return .itemsNotFound(
        items(indices).adding(isCursor ? named.cursor : nil),
        indices.isEmpty ? "the row for the cursor is not in the list" : nil)
    case .anchorNotFound: return .itemsNotFound(named.anchor.map { [$0] } ?? [])
    case .notSelectable(let indices):
      return Failure(
        .notSelectable,
        indices.count == 1
          ? "an item cannot be selected" : "\(indices.count) items cannot be selected",
        data: ["items": .values(items(indices))])
    case .cancelled: return .cancelled
    case .itemsOutsideSection(let indices):
      return .invalidParams(
        items(indices).first?.pointer ?? "/params/items",
        expected: "an item of the section that is named")
    case .compositeTooLarge(let name, let size, let limit):
      var failure = Failure(
        .compositeTooLarge,
        "the composite \"\(String(decoding: name, as: UTF8.self))\" would hold too much",
        data: ["list": .name(name)])
      failure.add(FailureData(size))
      failure.add(["limit": .object(FailureData(limit))])
      return failure
    case .sectionNotFound: return .sectionsNotFound(named.sections)
    case .readOnly(let name, let sources):
      return Failure(
        .readOnlyList, "the list is made of others; change those",
        data: ["list": .name(name), "sources": .names(sources)])
    case .cycle(let names):
      return Failure(
        .compositionCycle, "the list would be a source of itself", data: ["cycle": .names(names)])
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
    Failure(
      .itemNotFound,
      message
        ?? (missing.count == 1
          ? "an item is not in the list" : "\(missing.count) items are not in the list"),
      data: ["missing": .values(missing)])
  }

  static func sectionsNotFound(_ missing: [Value]) -> Failure {
    let message =
      switch missing.count {
      case 0: "the list has no section"
      case 1: "a section is not in the list"
      default: "\(missing.count) sections are not in the list"
      }
    return Failure(.sectionNotFound, message, data: ["missing": .values(missing)])
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

extension FailureData {
  /// The size of a composite.
  fileprivate init(_ size: SnapshotSize) {
    self = [
      "sections": .number(size.sections), "items": .number(size.items),
      "rows": .number(size.rows), "bytes": .number(size.bytes),
    ]
  }
}

extension ByteBuffer {
  /// Appends names as an array of strings.
  mutating func append(names: [[UInt8]]) {
    append(array: names.count) { index, buffer in
      names[index].withUnsafeBytes { buffer.append(string: $0) }
    }
  }
}
