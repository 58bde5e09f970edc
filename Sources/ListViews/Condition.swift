import ByteBuffers
import JSONBytes

/// A condition that items satisfy or not: a tree of tests and combinations, each node before its
/// operands.
package struct Condition: Sendable {
  /// A test of the value of a member.
  package enum Test: Sendable {
    /// The value is equal to one of some values.
    case isOne(of: ValueSet)

    /// The value is in a range of values of one type.
    case isBetween(ValueBounds)

    /// The value is a string that contains a substring, or an array with an equal element.
    case contains(substring: Substring?, element: ValueSet)

    /// The value exists and is not null, or the opposite.
    case exists(Bool)
  }

  /// A combination, or a test whose operands are named by their indices, so that no node has to be copied
  /// with the values in it.
  private enum Node: Sendable {
    case all
    case any
    case not
    case isOne(of: Int, member: Int)
    case isBetween(Int, member: Int)
    case contains(substring: Int?, element: Int, member: Int)
    case exists(Bool, member: Int)
  }

  private var nodes: [Node] = []
  private var sets: [ValueSet] = []
  private var bounds: [ValueBounds] = []
  private var substrings: [Substring] = []

  /// For each node the index after its last operand.
  private var ends: [Int] = []

  /// Creates a condition to which a test or a combination has yet to be added.
  package init() {}

  /// Adds a test of a member, by its index among the members that are read.
  package mutating func add(_ test: Test, of member: Int) {
    switch test {
    case .isOne(let set):
      nodes.append(.isOne(of: sets.count, member: member))
      sets.append(set)
    case .isBetween(let range):
      nodes.append(.isBetween(bounds.count, member: member))
      bounds.append(range)
    case .contains(let substring, let element):
      nodes.append(
        .contains(
          substring: substring == nil ? nil : substrings.count, element: sets.count,
          member: member))
      if let substring { substrings.append(substring) }
      sets.append(element)
    case .exists(let wanted): nodes.append(.exists(wanted, member: member))
    }
    ends.append(nodes.count)
  }

  /// Adds a combination that is satisfied if all conditions that `body` adds are.
  package mutating func addAll<Failure>(
    _ body: (inout Condition) throws(Failure) -> Void
  ) throws(Failure) { try add(.all, body) }

  /// Adds a combination that is satisfied if one of the conditions that `body` adds is.
  package mutating func addAny<Failure>(
    _ body: (inout Condition) throws(Failure) -> Void
  ) throws(Failure) { try add(.any, body) }

  /// Adds the negation of the condition that `body` adds.
  package mutating func addNot<Failure>(
    _ body: (inout Condition) throws(Failure) -> Void
  ) throws(Failure) { try add(.not, body) }

  private mutating func add<Failure>(
    _ node: Node, _ body: (inout Condition) throws(Failure) -> Void
  ) throws(Failure) {
    let index = nodes.count
    nodes.append(node)
    ends.append(0)
    try body(&self)
    ends[index] = nodes.count
  }

  /// Returns whether an item with some values satisfies the condition.
  ///
  /// - Complexity: O(*b* + *c*), where *b* is the number of bytes of the values and *c* that of tests and
  ///   combinations.
  package func isSatisfied(
    by values: borrowing MemberValues, _ scratch: inout ValueScratch
  ) -> Bool {
    isSatisfied(0, values, &scratch)
  }

  private func isSatisfied(
    _ index: Int, _ values: borrowing MemberValues, _ scratch: inout ValueScratch
  ) -> Bool {
    var next = index + 1
    switch nodes[index] {
    case .all:
      while next < ends[index] {
        guard isSatisfied(next, values, &scratch) else { return false }
        next = ends[next]
      }
      return true
    case .any:
      while next < ends[index] {
        if isSatisfied(next, values, &scratch) { return true }
        next = ends[next]
      }
      return false
    case .not: return !isSatisfied(next, values, &scratch)
    case .isOne(let set, let member): return sets[set].contains(values[member], &scratch)
    case .isBetween(let range, let member):
      return values.present(member).map { bounds[range].contains($0, &scratch) } ?? false
    case .exists(let wanted, let member): return (values.present(member) != nil) == wanted
    case .contains(let substring, let element, let member):
      guard let value = values.present(member) else { return false }
      switch value[0] {
      case 0x22:
        guard let substring else { return false }
        return scratch.encoder.withString(value) { substrings[substring].isFound(in: $0) }
      case 0x5B:
        var reader = JSONReader(value)
        return checked { () throws(JSONError) in
          try reader.openArray()
          while try reader.nextElement() {
            let value = reader.bytes(try reader.skip())
            if sets[element].contains(value, &scratch) { return true }
          }
          return false
        }
      default: return false
      }
    }
  }
}

extension MemberValues {
  /// Returns the value of a member, or `nil` if it is missing or null.
  fileprivate func present(_ member: Int) -> UnsafeRawBufferPointer? {
    self[member].flatMap { $0[0] == 0x6E ? nil : $0 }
  }
}

/// A string to be found in other strings, in linear time (Knuth, Morris and Pratt, "Fast pattern
/// matching in strings", 1977).
package struct Substring: Sendable {
  private let bytes: [UInt8]

  /// For each prefix, by its length, the length of its longest border: the longest proper prefix
  /// that is also a suffix.
  private let fallbacks: [Int]

  /// Creates a substring from bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var fallbacks = Array(repeating: 0, count: bytes.count + 1)
    var length = 0
    for index in bytes.indices.dropFirst() {
      while length > 0, bytes[index] != bytes[length] { length = fallbacks[length] }
      if bytes[index] == bytes[length] { length += 1 }
      fallbacks[index + 1] = length
    }
    self.fallbacks = fallbacks
  }

  /// Returns whether other bytes contain the substring.
  func isFound(in other: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first else { return true }
    var length = 0
    var index = 0
    while index < other.count {
      if length == 0 {
        guard let next = Bytes.firstIndex(of: first, in: other, from: index) else { return false }
        index = next + 1
        length = 1
      } else if other[index] == bytes[length] {
        index += 1
        length += 1
      } else {
        length = fallbacks[length]
      }
      if length == bytes.count { return true }
    }
    return false
  }
}
