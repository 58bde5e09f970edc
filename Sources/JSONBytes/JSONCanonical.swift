import ByteBuffers

/// Writes JSON values in a canonical form: two values are the same if and only if their forms are
/// equal bytes.
///
/// The order of members does not matter; if a name repeats, the last member counts. Numbers are
/// compared by mathematical value, strings and names by code points. The form is meant for
/// comparing and hashing; unless it `writesJSON`, literals and numbers have a notation of their
/// own.
package struct JSONCanonical: ~Copyable {
  private var tape = JSONTape()
  private var members: [Member] = []
  private var open: [Container] = []

  /// The decoded names of members with escapes.
  private var names = ByteBuffer()

  /// Whether the output is JSON, with numbers in their shortest form.
  private let writesJSON: Bool

  /// Creates a writer, which reuses its scratch memory. If `writesJSON` is true, the output is JSON
  /// with numbers in their shortest form.
  package init(writesJSON: Bool = false) { self.writesJSON = writesJSON }

  /// Appends the canonical form of a validated value.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of bytes. The stack does not grow with
  ///   the depth.
  package mutating func append(_ value: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    tape.read(value)
    names.removeAll()
    members.removeAll(keepingCapacity: true)
    begin(0, of: value, to: &buffer)
    while var container = open.popLast() {
      guard let child = container.next(in: tape, members) else {
        if let first = container.members?.lowerBound {
          members.removeLast(members.count - first)
        }
        buffer.append(container.members == nil ? 0x5D : 0x7D)
        continue
      }
      if !container.isFirst { buffer.append(0x2C) }
      container.isFirst = false
      open.append(container)
      if container.members != nil {
        // The name is the entry before its value.
        let name = tape.entries[child - 1]
        appendString(name, of: value, to: &buffer)
        buffer.append(0x3A)
      }
      begin(child, of: value, to: &buffer)
    }
  }

  /// Writes a scalar, or opens a container.
  private mutating func begin(
    _ index: Int, of value: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
  ) {
    let entry = tape.entries[index]
    switch entry.kind {
    case .null: writesJSON ? buffer.append("null") : buffer.append(0x6E)
    case .true: writesJSON ? buffer.append("true") : buffer.append(0x74)
    case .false: writesJSON ? buffer.append("false") : buffer.append(0x66)
    case .string: appendString(entry, of: value, to: &buffer)
    case .number:
      let number = JSONNumber(UnsafeRawBufferPointer(rebasing: value[entry.range]))
      if writesJSON {
        number.appendShortest(to: &buffer)
      } else {
        number.appendCanonical(to: &buffer)
      }
    case .array:
      buffer.append(0x5B)
      open.append(Container(index: index + 1, end: entry.next, members: nil))
    case .object:
      buffer.append(0x7B)
      let range = sortedMembers(from: index + 1, to: entry.next, of: value)
      open.append(Container(index: range.lowerBound, end: range.upperBound, members: range))
    }
  }

  private func appendString(
    _ entry: JSONTape.Entry, of value: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
  ) {
    buffer.append(0x22)
    if entry.hasEscapes {
      var decoded = ByteBuffer(capacity: entry.range.count)
      JSONReader(value).decode(
        JSONString(range: entry.range, hasEscapes: true), into: &decoded)
      decoded.withUnsafeBytes { buffer.append(jsonStringBody: $0) }
    } else {
      // A string written without escapes needs none; it cannot contain surrogates.
      buffer.append(UnsafeRawBufferPointer(rebasing: value[entry.range]))
    }
    buffer.append(0x22)
  }

  /// Appends the members of an object, sorted by name; of members with the same name, the last.
  private mutating func sortedMembers(
    from start: Int, to end: Int, of value: UnsafeRawBufferPointer
  ) -> Range<Int> {
    let first = members.count
    var index = start
    while index < end {
      let name = tape.entries[index]
      var range = name.range
      if name.hasEscapes {
        let nameStart = names.count
        JSONReader(value).decode(JSONString(range: range, hasEscapes: true), into: &names)
        range = nameStart..<names.count
      }
      members.append(Member(name: range, isDecoded: name.hasEscapes, value: index + 1))
      index = tape.entries[index + 1].next
    }
    let kept = names.withUnsafeBytes { decoded in
      members.withUnsafeMutableBufferPointer { all in
        Self.sort(UnsafeMutableBufferPointer(rebasing: all[first...]), in: value, decoded)
      }
    }
    members.removeLast(members.count - first - kept)
    return first..<first + kept
  }

  /// Sorts members by name, moves the last member of each name to the front, and returns their
  /// number.
  private static func sort(
    _ members: UnsafeMutableBufferPointer<Member>, in value: UnsafeRawBufferPointer,
    _ decoded: UnsafeRawBufferPointer
  ) -> Int {
    func name(_ member: Member) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: (member.isDecoded ? decoded : value)[member.name])
    }
    var members = members
    members.sort { a, b in
      let left = name(a)
      let right = name(b)
      if Bytes.precedes(left, right) { return true }
      return a.value < b.value && !Bytes.precedes(right, left)
    }
    var kept = 0
    for (index, member) in members.enumerated() {
      let next = index + 1
      if next < members.count && Bytes.equal(name(member), name(members[next])) { continue }
      members[kept] = member
      kept += 1
    }
    return kept
  }

  private struct Member {
    var name: Range<Int>

    /// Whether the range of the name refers to the decoded names instead of the value.
    var isDecoded: Bool

    /// The index of the value on the tape.
    var value: Int
  }

  /// An array or object that is being written.
  private struct Container {
    /// For an array, the index on the tape of the next element; for an object, the index of the
    /// next member.
    var index: Int
    var end: Int

    /// For an object, its sorted members.
    var members: Range<Int>?
    var isFirst = true

    /// Returns the index on the tape of the next value, or nil.
    mutating func next(in tape: JSONTape, _ sorted: [Member]) -> Int? {
      guard index < end else { return nil }
      defer { index = members == nil ? tape.entries[index].next : index + 1 }
      return members == nil ? index : sorted[index].value
    }
  }
}
