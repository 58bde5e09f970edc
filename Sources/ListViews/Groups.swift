import ByteBuffers
import JSONBytes
import ListState

/// Sections by the values of a member, in the order of their first items.
struct Groups {
  /// The maximum number of digits of an integer that is used as an identifier.
  static let longestInteger = 1000

  private let members: MemberPaths
  private let member: Int
  private let ownMembers: [UInt8]

  /// The identifiers of the groups, whose keys are the numbers of the groups.
  private var table = IDTable()

  /// The first item of each group, and the number of its items.
  private(set) var firsts: [Int32] = []
  private(set) var counts: [Int32] = []

  /// Creates groups by the values of a member. Each of `ownMembers` of the sections begins with a
  /// comma.
  init(_ members: MemberPaths, _ member: Int, ownMembers: [UInt8]) {
    self.members = members
    self.member = member
    self.ownMembers = ownMembers
  }

  /// Divides sorted items into a section for each value. Returns false if it `isStopped`.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the items.
  mutating func divide(
    _ arrangement: inout ViewArrangement, _ source: Snapshot, isStopped: () -> Bool
  ) -> Bool {
    var values = MemberValues(members)
    let texts = ItemTexts(source)
    var groups: [UInt32] = []
    var text = ByteBuffer()
    for (index, item) in arrangement.order.enumerated() {
      if index & 0xFFF == 0xFFF, isStopped() { return false }
      values.read(texts[Int(item)])
      let group = Self.withIdentifier(of: values[member], &text) { table.intern($0, $1) }
      if Int(group) == counts.count {
        firsts.append(item)
        counts.append(0)
      }
      counts[Int(group)] += 1
      groups.append(group)
    }
    var next: [Int32] = []
    var start: Int32 = 0
    arrangement.starts = [0]
    for count in counts {
      next.append(start)
      start += count
      arrangement.starts.append(start)
    }
    let order = arrangement.order
    for (index, (item, group)) in zip(order, groups).enumerated() {
      if index & 0xFFFF == 0xFFFF, isStopped() { return false }
      arrangement.order[Int(next[Int(group)])] = item
      next[Int(group)] += 1
    }
    return true
  }

  /// Writes the members of the sections, given the first item and the number of shown items of
  /// each, or of some sections if it `isStopped`.
  ///
  /// - Complexity: O(*b* + *s*), where *b* is the number of bytes of the first items and *s* that of
  ///   sections.
  func describe(
    _ arrangement: inout ViewArrangement, _ source: Snapshot, firsts: [Int32], counts: [Int32],
    isStopped: () -> Bool = { false }
  ) {
    var values = MemberValues(members)
    let texts = ItemTexts(source)
    var sections = ByteBuffer()
    var text = ByteBuffer()
    arrangement.sections.removeAll()
    for (first, count) in zip(firsts, counts) {
      if arrangement.sections.count & 0xFFF == 0xFFF, isStopped() { break }
      values.read(texts[Int(first)])
      let id = Self.withIdentifier(of: values[member], &text) { GroupID($0, Array($1)) }
      let idStart = sections.count
      sections.append(contentsOf: id.bytes)
      let start = sections.count
      sections.append(
        membersOf: id, value: values[member], count: Int(count), ownMembers: ownMembers)
      arrangement.sections.append(
        .own(id.kind, id: idStart..<start, members: start..<sections.count))
    }
    arrangement.texts = sections.withUnsafeBytes { Array($0) }
  }

  /// Calls a closure with the identifier of a value's section: a string or an integer itself, any
  /// other value as a string with its JSON. `text` is scratch memory.
  static func withIdentifier<Result>(
    of value: UnsafeRawBufferPointer?, _ text: inout ByteBuffer,
    _ body: (IDKind, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    text.removeAll()
    var kind = IDKind.string
    switch value.map({ $0[0] }) ?? 0x6E {
    case 0x6E: text.append("null")
    case 0x22: text.append(decoded: value!)
    case 0x2D, 0x30...0x39:
      if JSONNumber(value!).appendInteger(upTo: longestInteger, to: &text) {
        kind = .integer
      } else {
        JSONNumber(value!).appendShortest(to: &text)
      }
    default:
      var canonical = JSONCanonical(writesJSON: true)
      canonical.append(value!, to: &text)
    }
    return text.withUnsafeBytes { body(kind, $0) }
  }
}

extension ByteBuffer {
  /// Appends the object that describes a group of `count` items, given the value of its first item.
  mutating func append(
    membersOf group: GroupID, value: UnsafeRawBufferPointer?, count: Int, ownMembers: [UInt8]
  ) {
    append("{\"id\":")
    if group.kind == .string {
      group.bytes.withUnsafeBytes { append(string: $0) }
    } else {
      append(contentsOf: group.bytes)
    }
    append(",\"header\":{\"text\":")
    append(textOf: value)
    append(",\"value\":")
    if let value { append(value) } else { append("null") }
    append(",\"count\":")
    append(decimal: count)
    append("}")
    append(contentsOf: ownMembers)
    append("}")
  }

  /// Appends the decoded content of a JSON string.
  fileprivate mutating func append(decoded string: UnsafeRawBufferPointer) {
    let inside = 1..<string.count - 1
    let hasEscapes = Bytes.firstIndex(of: 0x5C, in: string, from: 0) != nil
    JSONReader(string).decode(JSONString(range: inside, hasEscapes: hasEscapes), into: &self)
  }

  /// Appends the text of a value as a JSON string, as a template shows it: numbers in their
  /// shortest form.
  fileprivate mutating func append(textOf value: UnsafeRawBufferPointer?) {
    var text = ByteBuffer()
    switch value.map({ $0[0] }) ?? 0x6E {
    case 0x6E: break
    case 0x22: text.append(decoded: value!)
    case 0x2D, 0x30...0x39: JSONNumber(value!).appendShortest(to: &text)
    default:
      var bytes: [UInt8] = []
      bytes.append(compact: value!)
      text.append(contentsOf: bytes)
    }
    text.withUnsafeBytes { append(string: $0) }
  }
}
