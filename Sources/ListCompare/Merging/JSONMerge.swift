import ByteBuffers
import JSONBytes

/// A merge of three JSON texts. Objects are merged member by member, and arrays of objects with a
/// key element by element; other values that both sides have changed are conflicts.
struct JSONMerge {
  /// One of the texts.
  struct Side {
    let bytes: UnsafeRawBufferPointer

    /// The array whose elements have the key that the options name.
    var rows: Range<Int>?

    func isEqual(_ range: Range<Int>?, _ other: Side, _ otherRange: Range<Int>?) -> Bool {
      guard let range, let otherRange else { return range == nil && otherRange == nil }
      return JSONEquality.equal(
        UnsafeRawBufferPointer(rebasing: bytes[range]),
        UnsafeRawBufferPointer(rebasing: other.bytes[otherRange]))
    }

    func text(_ range: Range<Int>?) -> [UInt8]? { range.map { Array(bytes[$0]) } }

    func first(_ range: Range<Int>?) -> UInt8? { range.map { bytes[$0.lowerBound] } }
  }

  let base: Side
  let ours: Side
  let theirs: Side
  let key: [String]

  /// The side whose value a conflict has.
  let choice: RecordMerge.Side
  private(set) var conflicts = 0

  init(
    _ base: Side, _ ours: Side, _ theirs: Side, key: [String], choosing choice: RecordMerge.Side
  ) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.key = key
    self.choice = choice
  }

  /// Returns the merged value; nil if there is none.
  mutating func merged(
    _ b: Range<Int>?, _ o: Range<Int>?, _ t: Range<Int>?
  ) throws(ComparisonFailure) -> [UInt8]? {
    if ours.isEqual(o, theirs, t) { return ours.text(o) }
    if base.isEqual(b, ours, o) { return theirs.text(t) }
    if base.isEqual(b, theirs, t) { return ours.text(o) }
    if let o, let t, ours.first(o) == theirs.first(t) {
      let model = base.first(b) == ours.first(o) ? b : nil
      let earlier = conflicts
      var merged: [UInt8]?
      if ours.first(o) == 0x7B { merged = try mergedObject(model, o, t) }
      if ours.first(o) == 0x5B { merged = try mergedArray(model, o, t) }
      // What both sides have made differently of something else is not in the base.
      if choice == .base, model == nil, conflicts > earlier { return base.text(b) }
      if let merged { return merged }
    }
    conflicts += 1
    switch choice {
    case .base: return base.text(b)
    case .ours: return ours.text(o)
    case .theirs: return theirs.text(t)
    }
  }

  private mutating func mergedObject(
    _ b: Range<Int>?, _ o: Range<Int>, _ t: Range<Int>
  ) throws(ComparisonFailure) -> [UInt8] {
    let members = [(base, b), (ours, o), (theirs, t)].map { side, range in
      range.map { JSONMember.all(of: $0, in: side.bytes) } ?? []
    }
    let parts = try merged(
      keys: members.map { $0.map { Array($0.name.utf8) } },
      values: members.map { $0.map { $0.value } })
    let layout =
      JSONLayout(ours, o, members[1].map { $0.value })
      ?? JSONLayout(theirs, t, members[2].map { $0.value })
    guard let layout else { return Array("{}".utf8) }
    return layout.joined(
      parts.map { key, value in
        var member = ByteBuffer()
        key.withUnsafeBytes { member.append(string: $0) }
        return member.withUnsafeBytes { Array($0) } + layout.colon + value
      })
  }

  /// Returns a merged array; nil if its elements have no key.
  private mutating func mergedArray(
    _ b: Range<Int>?, _ o: Range<Int>, _ t: Range<Int>
  ) throws(ComparisonFailure) -> [UInt8]? {
    let elements = [(base, b), (ours, o), (theirs, t)].map { side, range in
      range.map { JSONMember.elements(of: $0, in: side.bytes) } ?? []
    }
    guard let parts = try merged(elements: elements, areRows: ours.rows == o) else { return nil }
    let layout = JSONLayout(ours, o, elements[1]) ?? JSONLayout(theirs, t, elements[2])
    return layout?.joined(parts) ?? Array("[]".utf8)
  }

  private static let candidates = [
    ["id"], ["key"], ["name"], ["metadata.name"], ["metadata.namespace", "metadata.name"], ["uid"],
  ]

  /// Returns the merged elements of three arrays; nil if they have no key.
  ///
  /// - Throws: If the elements should have the key that was named, and do not.
  mutating func merged(
    elements: [[Range<Int>]], areRows: Bool
  ) throws(ComparisonFailure) -> [[UInt8]]? {
    let isNamed = areRows && !key.isEmpty
    for candidate in isNamed ? [key] : Self.candidates {
      let keys = zip([base, ours, theirs], elements).compactMap { side, elements in
        Self.keys(of: elements, in: side.bytes, candidate)
      }
      guard keys.count == 3 else { continue }
      return try merged(keys: keys, values: elements).map { $0.value }
    }
    if isNamed { throw ComparisonFailure("an item lacks the key, or it repeats") }
    return nil
  }

  /// The keys of elements; nil if one has none, or two have the same.
  private static func keys(
    of elements: [Range<Int>], in bytes: UnsafeRawBufferPointer, _ members: [String]
  ) -> [[UInt8]]? {
    let search = MemberSearch(members)
    var builder = RecordTable.Builder()
    var keys: [[UInt8]] = []
    for element in elements {
      let start = builder.keys.count
      for value in search.values(in: element, of: bytes) {
        guard bytes[element.lowerBound] == 0x7B, let value, bytes[value.lowerBound] != 0x6E else {
          return nil
        }
        builder.append(jsonKey: UnsafeRawBufferPointer(rebasing: bytes[value]))
        builder.endKeyPart()
      }
      keys.append(builder.keys.withUnsafeBytes { Array($0[start...]) })
    }
    return Set(keys).count == keys.count ? keys : nil
  }

  /// Merges the parts of the base, of ours and of theirs.
  private mutating func merged(
    keys: [[[UInt8]]], values: [[Range<Int>]]
  ) throws(ComparisonFailure) -> [(key: [UInt8], value: [UInt8])] {
    let ranges = zip(keys, values).map { Dictionary(uniqueKeysWithValues: zip($0, $1)) }
    var result: [(key: [UInt8], value: [UInt8])] = []
    for key in MergedOrder.of(keys[0], keys[1], keys[2]) {
      let value = try merged(ranges[0][key], ranges[1][key], ranges[2][key])
      if let value { result.append((key, value)) }
    }
    return result
  }
}

/// How the parts of an array or object are separated.
struct JSONLayout {
  private let start: [UInt8]
  private let separator: [UInt8]
  private let end: [UInt8]

  /// What is between a name and its value.
  let colon: [UInt8]

  /// The layout of a text with these values; nil if there are none.
  init?(_ side: JSONMerge.Side, _ range: Range<Int>, _ values: [Range<Int>]) {
    guard let first = values.first, let last = values.last else { return nil }
    let bytes = side.bytes
    func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
    let content = bytes[(range.lowerBound + 1)...].firstIndex { !isBlank($0) } ?? range.upperBound
    start = Array(bytes[range.lowerBound..<content])
    end = Array(bytes[last.upperBound..<range.upperBound])
    let next = values.count > 1 ? values[1].lowerBound : nil
    let separated = bytes[first.upperBound...].firstIndex { !isBlank($0) && $0 != 0x2C }
    separator =
      next != nil && separated != nil
      ? Array(bytes[first.upperBound..<separated!]) : [0x2C] + start.dropFirst()
    var position = first.lowerBound
    while position > content, isBlank(bytes[position - 1]) || bytes[position - 1] == 0x3A {
      position -= 1
    }
    colon = Array(bytes[position..<first.lowerBound])
  }

  func joined(_ parts: [[UInt8]]) -> [UInt8] {
    parts.isEmpty ? [start[0], end.last!] : start + parts.joined(separator: separator) + end
  }
}
