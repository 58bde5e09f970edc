import ByteBuffers

/// Items of a list that are in this process, each with a number that it keeps while it is here.
struct PickedRows: Sendable {
  private struct Row: Sendable {
    var text: [UInt8]

    /// The identifier of the item, or the item itself, as JSON.
    let reference: [UInt8]
  }

  private var rows: [Int: Row] = [:]
  private var numbers: [[UInt8]: Int] = [:]
  private var last = -1

  /// The items that the list does not have any more.
  private var removed: Set<Int> = []

  /// The number of items.
  var count: Int { rows.count }

  func bytes(of line: Int) -> ArraySlice<UInt8> { rows[line]?.text[...] ?? [] }

  func isRemoved(_ line: Int) -> Bool { removed.contains(line) }

  /// How requests refer to an item; nil if it is not here.
  func reference(to line: Int) -> [UInt8]? { rows[line]?.reference }

  /// Adds an item, or replaces its text. Returns its number.
  mutating func add(_ reference: [UInt8], _ text: [UInt8]) -> Int {
    if let number = numbers[reference] {
      if rows[number]!.text != text { rows[number]!.text = text }
      removed.remove(number)
      return number
    }
    last += 1
    numbers[reference] = last
    rows[last] = Row(text: text, reference: reference)
    return last
  }

  /// Replaces the text of an item if it is here.
  mutating func update(_ reference: [UInt8], _ text: [UInt8]) {
    if let number = numbers[reference] { rows[number]!.text = text }
  }

  /// Records which of some items the list has.
  mutating func note(_ lines: [Int], areThere: [Bool]) {
    for (line, isThere) in zip(lines, areThere) {
      if isThere { removed.remove(line) } else { removed.insert(line) }
    }
  }

  /// Forgets all items but some.
  mutating func keep(only lines: some Sequence<Int>) {
    let kept = Set(lines)
    rows = rows.filter { kept.contains($0.key) }
    numbers = numbers.filter { kept.contains($0.value) }
    removed.formIntersection(kept)
  }
}

/// What is searched and shown of the items of a list.
struct ItemForm {
  /// The members that are searched; empty as long as no item is known.
  private(set) var members: [String]

  /// Whether the members are named, and all of them are shown.
  private let isNamed: Bool

  /// Of these members, the first one that an item has is shown if none are named.
  private static let usual = ["text", "path", "name"]

  init(_ members: [String]) {
    self.members = members
    isNamed = !members.isEmpty
  }

  /// Adds the members that are shown of items. Items without any are found by their text.
  mutating func add(_ items: [MessagePart]) {
    guard !isNamed, !items.isEmpty else { return }
    let shown = items.compactMap { Self.usualMember(of: $0)?.name }
    members = Self.usual.filter { members.contains($0) || shown.contains($0) }
    if members.isEmpty { members = [Self.usual[0]] }
  }

  /// The text of an item on one line: its members, or if it has none, the item as JSON.
  func text(of item: MessagePart) -> [UInt8] {
    var text = Self.usualMember(of: item)?.text
    if isNamed {
      let cells = members.map { item.cell(Array($0.utf8)) }
      if cells.contains(where: { !$0.isEmpty }) { text = cells.joined(separator: "  ") }
    }
    return (text ?? item.json).utf8.map { $0 == 0x0A ? 0x20 : $0 }
  }

  private static func usualMember(of item: MessagePart) -> (name: String, text: String)? {
    // A value that is not an object is the text of itself.
    guard item.isObject else { return (usual[0], item.plain) }
    for name in usual {
      let text = item.with(name) { value in value.flatMap { $0.decodedText } }
      if let text { return (name, text) }
    }
    return nil
  }
}
