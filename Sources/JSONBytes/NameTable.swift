import ByteBuffers

/// A table that finds names in a message, without copying them.
///
/// Uses open addressing with linear probing. Not copyable, because each use would copy it.
@usableFromInline
package struct NameTable: ~Copyable, Sendable {
  private let names: [[UInt8]]

  /// The length of a name, and its first and last eight bytes, which may overlap. Those of a shorter name are
  /// followed by zeros.
  private struct Ends: Equatable {
    var count: Int
    var head: UInt64
    var tail: UInt64
  }

  /// By name, its ends, which are all of a name of up to sixteen bytes.
  private let ends: [Ends]

  /// By hash, the index of a name, or `empty`.
  private let slots: [UInt8]

  private static let empty: UInt8 = 0xFF

  /// Creates a table of different names, at most 128.
  package init(_ names: some Collection<String>) {
    precondition(names.count <= 128)
    self.names = names.map { Array($0.utf8) }
    ends = self.names.map { name in
      Ends(
        count: name.count, head: Self.word(name.prefix(8)), tail: Self.word(name.suffix(8)))
    }
    var slots = [UInt8](repeating: Self.empty, count: 256)
    for (index, name) in self.names.enumerated() {
      var slot = Self.hash(ends[index].head, name.count)
      while slots[slot] != Self.empty { slot = (slot + 1) & 0xFF }
      slots[slot] = UInt8(index)
    }
    self.slots = slots
  }

  /// Returns the index of a name that a reader has read; `nil` if it is not in the table.
  ///
  /// - Complexity: O(1) on average, for names without escapes.
  @usableFromInline
  package func index(of name: JSONString, in reader: JSONReader) -> Int? {
    if name.hasEscapes {
      var text: [UInt8] = []
      reader.decode(name, into: &text)
      return names.firstIndex(of: text)
    }
    let ends = Ends(
      count: name.range.count, head: reader.head(of: name), tail: reader.tail(of: name))
    var slot = Self.hash(ends.head, ends.count)
    while slots[slot] != Self.empty {
      let index = Int(slots[slot])
      if self.ends[index] == ends,
        ends.count <= 16
          || names[index].withUnsafeBytes({ Bytes.equal($0, reader.bytes(name.range)) })
      {
        return index
      }
      slot = (slot + 1) & 0xFF
    }
    return nil
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func hash(_ head: UInt64, _ count: Int) -> Int {
    Int(truncatingIfNeeded: ((head ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }
}

/// A table that finds the cases of a type by their names in a message.
@usableFromInline
package struct CaseTable<Name: RawRepresentable<String> & CaseIterable & Sendable>: ~Copyable,
  Sendable
{
  @usableFromInline let names: NameTable
  @usableFromInline let cases: [Name]

  /// Creates a table of all cases, at most 128.
  package init(of type: Name.Type) {
    cases = Array(type.allCases)
    names = NameTable(cases.map(\.rawValue))
    for (index, name) in cases.enumerated() { precondition(Self.number(of: name) == index) }
  }

  /// The number of a case, from 0. An enumeration without payloads is kept as that number, in one byte.
  @inlinable @inline(__always)
  package static func number(of name: Name) -> UInt8 { unsafeBitCast(name, to: UInt8.self) }

  /// Returns the case with the name that a reader has read; `nil` if there is none.
  @inlinable
  package func find(_ name: JSONString, in reader: JSONReader) -> Name? {
    names.index(of: name, in: reader).map { cases[$0] }
  }
}
