import JSONBytes
import ListState

/// Sections by the values of a member, in the order of their first items.
struct Groups {
  /// An identifier that an integer value has, in digits.
  static let longestInteger = 1000

  private let members: MemberPaths
  private let member: Int
  private let ownMembers: [UInt8]

  /// The identifiers of the groups; their keys count them.
  private var table = IDTable()

  /// By group its first item, and the number of its items.
  private(set) var firsts: [Int32] = []
  private(set) var counts: [Int32] = []

  /// Groups by the values of a member; the sections have some own members, each with a comma before it.
  init(_ members: MemberPaths, _ member: Int, ownMembers: [UInt8]) {
    self.members = members
    self.member = member
    self.ownMembers = ownMembers
  }

  /// Divides sorted items into a section for each value; false if it `isStopped`.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the items.
  mutating func divide(
    _ arrangement: inout ViewArrangement, _ source: Snapshot, isStopped: () -> Bool
  ) -> Bool {
    var values = MemberValues(members)
    let texts = ItemTexts(source)
    var groups: [UInt32] = []
    for (index, item) in arrangement.order.enumerated() {
      if index & 0xFFF == 0xFFF, isStopped() { return false }
      values.read(texts[Int(item)])
      let group = Self.withIdentifier(of: values[member]) { table.intern($0, $1) }
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
    for (item, group) in zip(order, groups) {
      arrangement.order[Int(next[Int(group)])] = item
      next[Int(group)] += 1
    }
    return true
  }

  /// Describes the sections, of which each has a first item and shows a number of items.
  ///
  /// - Complexity: O(*b* + *s*), where *b* is the number of bytes of the first items and *s* that of
  ///   sections.
  func describe(
    _ arrangement: inout ViewArrangement, _ source: Snapshot, firsts: [Int32], counts: [Int32]
  ) {
    var values = MemberValues(members)
    let texts = ItemTexts(source)
    var sections = ByteBuffer()
    arrangement.sections.removeAll()
    for (first, count) in zip(firsts, counts) {
      values.read(texts[Int(first)])
      Self.withIdentifier(of: values[member]) { kind, id in
        let idStart = sections.count
        sections.append(id)
        let start = sections.count
        sections.append("{\"id\":")
        if kind == .string { sections.append(string: id) } else { sections.append(id) }
        sections.append(",\"header\":{\"text\":")
        sections.append(textOf: values[member])
        sections.append(",\"value\":")
        if let value = values[member] { sections.append(value) } else { sections.append("null") }
        sections.append(",\"count\":")
        sections.append(decimal: Int(count))
        sections.append("}")
        sections.append(contentsOf: ownMembers)
        sections.append("}")
        arrangement.sections.append(
          .own(kind, id: idStart..<start, members: start..<sections.count))
      }
    }
    arrangement.texts = sections.withUnsafeBytes { Array($0) }
  }

  /// Lends the identifier of the section of a value: a string or an integer as it is, any other value as
  /// the string that is its JSON.
  private static func withIdentifier<Result>(
    of value: UnsafeRawBufferPointer?, _ body: (IDKind, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    var text = ByteBuffer()
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
  /// Appends what a JSON string stands for.
  fileprivate mutating func append(decoded string: UnsafeRawBufferPointer) {
    let inside = 1..<string.count - 1
    let hasEscapes = Bytes.firstIndex(of: 0x5C, in: string, from: 0) != nil
    JSONReader(string).decode(JSONString(range: inside, hasEscapes: hasEscapes), into: &self)
  }

  /// Appends a value as a template shows it, numbers in their shortest form, as a JSON string.
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
