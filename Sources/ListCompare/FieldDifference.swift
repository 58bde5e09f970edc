import ByteBuffers
import JSONBytes

/// A member or column that differs in two rows.
struct FieldDifference {
  /// The names of the members that lead to the value; an index is written as `[0]`.
  var path: [String]

  /// The ranges of the values in each side's bytes; nil if a side has none.
  var old: Range<Int>?
  var new: Range<Int>?

  /// The keys of the elements of two arrays, if these differ in the order of their elements.
  var orders: (old: [Range<Int>], new: [Range<Int>])?

  /// The path for display, such as `spec.containers[0].image`, or `spec.containers[web].image` if
  /// the element has a key. That of an order ends with `[]`.
  var name: String {
    path.reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : $0 + "." + $1 }
      + (orders == nil ? "" : "[]")
  }
}

/// The differences between two JSON values, in the order of the old one, then the added members.
struct JSONComparison {
  private let old: UnsafeRawBufferPointer
  private let new: UnsafeRawBufferPointer
  private let options: ComparisonOptions
  private let limit: Int
  private(set) var differences: [FieldDifference] = []

  /// Compares two valid JSON values, up to the first `limit` differences.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of bytes of both.
  init(
    _ a: Range<Int>, in old: UnsafeRawBufferPointer, _ b: Range<Int>,
    in new: UnsafeRawBufferPointer, _ options: ComparisonOptions, limit: Int
  ) {
    self.old = old
    self.new = new
    self.options = options
    self.limit = limit
    compare(a, b, at: [])
  }

  private mutating func compare(_ a: Range<Int>?, _ b: Range<Int>?, at path: [String]) {
    if differences.count >= limit { return }
    if !path.isEmpty, options.ignored.contains(where: { $0.matches(Self.dotted(path)) }) { return }
    guard let a, let b else {
      differences.append(FieldDifference(path: path, old: a, new: b))
      return
    }
    let left = UnsafeRawBufferPointer(rebasing: old[a])
    let right = UnsafeRawBufferPointer(rebasing: new[b])
    if Bytes.equal(left, right) { return }
    switch (left[0], right[0]) {
    case (0x7B, 0x7B): compareObjects(a, b, at: path)
    case (0x5B, 0x5B): compareArrays(a, b, at: path)
    default:
      if JSONEquality.equal(left, right) || options.equality.equal(json: left, right) { return }
      differences.append(FieldDifference(path: path, old: a, new: b))
    }
  }

  /// The path in the form of patterns: an index without brackets.
  private static func dotted(_ path: [String]) -> [String] {
    path.map { $0.hasPrefix("[") ? String($0.dropFirst().dropLast()) : $0 }
  }

  private mutating func compareObjects(_ a: Range<Int>, _ b: Range<Int>, at path: [String]) {
    let before = JSONMember.all(of: a, in: old)
    let after = JSONMember.all(of: b, in: new)
    let values = Dictionary(uniqueKeysWithValues: after.map { ($0.name, $0.value) })
    for member in before { compare(member.value, values[member.name], at: path + [member.name]) }
    let known = Set(before.map(\.name))
    for member in after where !known.contains(member.name) {
      compare(nil, member.value, at: path + [member.name])
    }
  }

  private mutating func compareElements(
    _ before: [Range<Int>], _ after: [Range<Int>], _ keys: ElementKeys, at path: [String]
  ) {
    func name(_ key: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> String {
      "[\(JSONText.plain(UnsafeRawBufferPointer(rebasing: bytes[key])))]"
    }
    for (index, element) in before.enumerated() {
      compare(
        element, keys.partners[index].map { after[$0] }, at: path + [name(keys.old[index], old)])
    }
    let known = Set(keys.partners.compactMap { $0 })
    for (index, element) in after.enumerated() where !known.contains(index) {
      compare(nil, element, at: path + [name(keys.new[index], new)])
    }
  }

  /// Compares arrays: elements are paired by a key, if they have one. Otherwise elements at equal
  /// beginnings and ends match, and those between are paired in order.
  private mutating func compareArrays(_ a: Range<Int>, _ b: Range<Int>, at path: [String]) {
    let before = JSONMember.elements(of: a, in: old)
    let after = JSONMember.elements(of: b, in: new)
    if let keys = ElementKeys(before, old, after, new) {
      compareElements(before, after, keys, at: path)
      if !options.ignoresOrder, let orders = keys.orders {
        differences.append(FieldDifference(path: path, old: a, new: b, orders: orders))
      }
      return
    }
    func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
      JSONEquality.equal(
        UnsafeRawBufferPointer(rebasing: old[left]), UnsafeRawBufferPointer(rebasing: new[right]))
    }
    let shorter = min(before.count, after.count)
    var head = 0
    var tail = 0
    if before.count != after.count {
      while head < shorter, isSame(before[head], after[head]) { head += 1 }
      while tail < shorter - head,
        isSame(before[before.count - 1 - tail], after[after.count - 1 - tail])
      {
        tail += 1
      }
    }
    let count = max(before.count, after.count) - tail
    for index in head..<max(head, count) {
      compare(
        index < before.count - tail ? before[index] : nil,
        index < after.count - tail ? after[index] : nil, at: path + ["[\(index)]"])
    }
  }
}
