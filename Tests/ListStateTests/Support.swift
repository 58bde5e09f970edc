import ByteBuffers
import ListDiff
import Testing

@testable import ListState

/// The rules of lists that are written as text.
private struct PictureRules: ContentRules {
  func isSameItem(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.elementsEqual(b)
  }

  func isSameSection(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.elementsEqual(b)
  }

  // The parts of an item follow its opening parenthesis.
  func isSameBesideParts(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.prefix { $0 != UInt8(ascii: "(") }.elementsEqual(b.prefix { $0 != UInt8(ascii: "(") })
  }

  func sectionName(_ list: [UInt8], _ ids: borrowing IDTable, _ key: UInt32) -> [UInt8] {
    list + [UInt8(ascii: ".")] + ids.bytes(of: key)
  }

  func renamed(_ own: UnsafeRawBufferPointer, _ id: [UInt8]) -> [UInt8] {
    id + own.drop { $0 != UInt8(ascii: "/") }
  }
}

/// Lists that are written as text: `"A/m: a b* | B: c! d(x,y) e()"`.
///
/// A section is its identifier, a mode and its items. The modes are `s` for single, `m` for
/// multiple and `n` for none. An upper-case letter inverts whether an empty selection is allowed.
/// An item is one letter or more; `*` changes its content, `!` makes it unselectable, `^` gives it
/// a template, `=` makes its identifier explicit, and its parts are in parentheses.
struct Lists: ~Copyable {
  var store: ListStore

  init(historyBytes: Int = 64 << 20, totalHistoryBytes: Int = .max) {
    store = ListStore(
      rules: PictureRules(), historyBytes: historyBytes, totalHistoryBytes: totalHistoryBytes)
  }

  mutating func key(_ word: some Sequence<UInt8>, _ kind: IDKind = .string) -> UInt32 {
    Array(word).withUnsafeBytes { store.ids.intern(kind, $0) }
  }

  func reference(_ word: String, occurrence: Int = 0) -> ItemReference {
    let key = Array(word.utf8).withUnsafeBytes { store.ids.find(.string, $0) }
    return .id(key, occurrence: occurrence, source: nil)
  }

  mutating func snapshot(_ picture: String) -> Snapshot { built(picture).snapshot }

  mutating func built(_ picture: String) -> SnapshotBuilder {
    let bytes = Array(picture.utf8)
    var builder = SnapshotBuilder(buffers: [SharedBytes(copying: bytes)])
    for section in bytes.split(separator: UInt8(ascii: "|")) {
      let words = section.split(separator: UInt8(ascii: " "))
      beginSection(words[0], &builder)
      for word in words.dropFirst() { addItem(word, &builder) }
    }
    builder.finish(using: &store.keyIndices)
    builder.snapshot.checkInvariants()
    return builder
  }

  private mutating func beginSection(_ word: ArraySlice<UInt8>, _ builder: inout SnapshotBuilder) {
    let name = word.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
    var traits = SectionTraits(own: payload(word))
    switch word.dropFirst(name.count + 1).first {
    case UInt8(ascii: "S"): traits.allowsEmptySelection = true
    case UInt8(ascii: "m"): (traits.selectionMode, traits.allowsEmptySelection) = (.multiple, true)
    case UInt8(ascii: "M"): traits.selectionMode = .multiple
    case UInt8(ascii: "n"): (traits.selectionMode, traits.allowsEmptySelection) = (.none, true)
    default: break
    }
    builder.beginSection(key(name), traits)
  }

  private mutating func addItem(_ word: ArraySlice<UInt8>, _ builder: inout SnapshotBuilder) {
    let name = word.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    var traits: ItemTraits = []
    if word.contains(UInt8(ascii: "!")) { traits.insert(.notSelectable) }
    if word.contains(UInt8(ascii: "=")) { traits.insert(.hasExplicitID) }
    let template = word.contains(UInt8(ascii: "^")) ? key("Wide".utf8) + 1 : 0
    builder.addItem(key(name), payload(word), traits, template: template)
    guard let open = word.firstIndex(of: UInt8(ascii: "(")) else { return }
    let parts = word[(open + 1)...].dropLast().split(separator: UInt8(ascii: ","))
    builder.addParts(
      parts.map { part in
        let name = part.filter { $0 != UInt8(ascii: "*") }
        return Part(key: key(name, .part), payload: payload(part), template: 0)
      })
  }

  private func payload(_ word: ArraySlice<UInt8>) -> Payload {
    Payload(start: word.startIndex, length: word.count, buffer: 0)
  }

  @discardableResult
  mutating func apply(
    _ picture: String, to name: String = "l", base: Int? = nil, selected: [ItemReference]? = nil,
    cursor: ItemReference? = nil, policy: CursorPolicy = .follow
  ) throws(ListFailure) -> ListChange {
    var request = ChangeRequest()
    request.baseRevision = base
    request.selected = selected
    request.cursor = cursor
    request.cursorPolicy = policy
    return try store.replace(Array(name.utf8), with: snapshot(picture), request)[0]
  }

  @discardableResult
  mutating func select(
    _ action: SelectionAction? = nil, _ items: [ItemReference]? = nil,
    cursor: ItemReference? = nil
  ) throws(ListFailure) -> SelectionChange {
    var request = SelectRequest()
    request.action = action
    request.items = items
    request.cursor = cursor
    return try store.select(Array("l".utf8), request).own
  }

  func list(_ name: String = "l") throws(ListFailure) -> NamedList {
    try store.list(Array(name.utf8))
  }

  /// Makes the tree of a list that is not a view again, as if it had got its content by a snapshot.
  mutating func remakeTree(of name: [UInt8]) {
    guard var list = store.peek(name) else { return }
    list.tree = store.tree(of: list, list.shownItems, list.sourceMarks, isDistinct: false)
    store.lists[name] = list
    store.remakeRepeats(inCompositesOf: name)
  }

  /// The texts of the selected items, and the text of the row with the cursor after `@`.
  func marks() throws -> String {
    let list = try list()
    let items = list.selectedItems.map { text(list.shownItems.payloads[$0], list) }
    let cursor = list.cursor.map { text(list.shownItems.payload(ofRow: $0), list) }
    return (items + (cursor.map { ["@\($0)"] } ?? [])).joined(separator: " ")
  }

  private func text(_ payload: Payload, _ list: NamedList) -> String {
    String(decoding: list.shownItems.bytes(of: payload), as: UTF8.self)
  }
}

extension ListTree {
  /// Checks that the selected items may be selected.
  func checkSelection() {
    for section in sectionsInOrder {
      let selected = forest.sums(ofTree: section).selected
      #expect(selected <= selectionRule(ofSection: section).limit)
    }
    for item in selectedIndices { #expect(isSelectable(location(at: item)!)) }
  }
}

/// Random numbers that are the same in every run (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Returns a number below a positive bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
