/// Writes values so that two are the same JSON value exactly where the written bytes are equal.
///
/// The order of members does not matter, of a repeated name the last member counts, numbers are
/// compared by their mathematical value, strings and names by code points. The writing is for
/// comparing and hashing: numbers in it are spelled in a way of their own.
package struct JSONCanonical: ~Copyable {
  private var tape = JSONTape()
  private var members: [Member] = []
  private var open: [Container] = []

  /// The names that have escapes, decoded.
  private var names = ByteBuffer()

  /// Whether what is written is JSON, with numbers in their shortest form.
  private let writesJSON: Bool

  /// A writer, which keeps its scratch memory from value to value. If it `writesJSON`, what it writes is
  /// JSON with numbers in their shortest form.
  package init(writesJSON: Bool = false) { self.writesJSON = writesJSON }

  /// Appends the canonical form of a value that a reader has passed.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of bytes; the stack does not grow with
  ///   depth.
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
        // A name stands right before its value.
        let name = tape.entries[child - 1]
        appendString(name, of: value, to: &buffer)
        buffer.append(0x3A)
      }
      begin(child, of: value, to: &buffer)
    }
  }

  /// Writes a value, or the opening of a container.
  private mutating func begin(
    _ place: Int, of value: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
  ) {
    let entry = tape.entries[place]
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
      open.append(Container(place: place + 1, end: entry.next, members: nil))
    case .object:
      buffer.append(0x7B)
      let range = sortedMembers(from: place + 1, to: entry.next, of: value)
      open.append(Container(place: range.lowerBound, end: range.upperBound, members: range))
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
      // What was written without escapes needs none, but for the surrogates that it cannot hold.
      buffer.append(UnsafeRawBufferPointer(rebasing: value[entry.range]))
    }
    buffer.append(0x22)
  }

  /// Adds the members of an object in the order of their names, of equal names the last.
  private mutating func sortedMembers(
    from start: Int, to end: Int, of value: UnsafeRawBufferPointer
  ) -> Range<Int> {
    let first = members.count
    var place = start
    while place < end {
      let name = tape.entries[place]
      var range = name.range
      if name.hasEscapes {
        let nameStart = names.count
        JSONReader(value).decode(JSONString(range: range, hasEscapes: true), into: &names)
        range = nameStart..<names.count
      }
      members.append(Member(name: range, isDecoded: name.hasEscapes, value: place + 1))
      place = tape.entries[place + 1].next
    }
    let kept = names.withUnsafeBytes { decoded in
      members.withUnsafeMutableBufferPointer { all in
        Self.sort(UnsafeMutableBufferPointer(rebasing: all[first...]), in: value, decoded)
      }
    }
    members.removeLast(members.count - first - kept)
    return first..<first + kept
  }

  /// Sorts members by name, moves the last of each name to the front and returns how many.
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
    for (place, member) in members.enumerated() {
      let next = place + 1
      if next < members.count && Bytes.equal(name(member), name(members[next])) { continue }
      members[kept] = member
      kept += 1
    }
    return kept
  }

  private struct Member {
    var name: Range<Int>

    /// Whether the name's range is one of the decoded names, else it is one of the value.
    var isDecoded: Bool

    /// The value's place on the tape.
    var value: Int
  }

  /// An array or object that is being written.
  private struct Container {
    /// Of an array, the tape's place of the next element; of an object, the next member.
    var place: Int
    var end: Int

    /// Of an object, its sorted members.
    var members: Range<Int>?
    var isFirst = true

    /// The tape's place of the next value, or nil.
    mutating func next(in tape: JSONTape, _ sorted: [Member]) -> Int? {
      guard place < end else { return nil }
      defer { place = members == nil ? tape.entries[place].next : place + 1 }
      return members == nil ? place : sorted[place].value
    }
  }
}
