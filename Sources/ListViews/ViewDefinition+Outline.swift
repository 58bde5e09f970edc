import JSONBytes
import ListState

extension ViewDefinition {
  /// Makes a tree of the unsorted items of an arrangement and of their ancestors. Returns false if
  /// it `isStopped`.
  ///
  /// - Complexity: O(*n* + *b* + *k* log *k*), where *n* is the number of all items, *b* the number
  ///   of bytes by which items are sorted and divided, and *k* the number of items of the view.
  func makeOutline(
    _ arrangement: inout ViewArrangement, _ items: ViewItems, _ ranks: ItemRanks,
    isStopped: () -> Bool
  ) -> Bool {
    guard let outline, let links = items.links else { return false }
    let forest = OutlineForest(links.parents)
    if isStopped() { return false }
    var tree = Outline()
    tree.openLevels = outline.openLevels
    tree.matched = arrangement.order.count
    tree.cyclic = forest.cyclic
    var ranks = ranks
    var order = arrangement.order
    var isForced: [Bool] = []
    if condition != nil || match != nil {
      var isKept = [Bool](repeating: false, count: items.snapshot.itemCount)
      forest.forEachAncestor(of: order, andSelf: true) { isKept[$0] = true }
      order = isKept.indices.filter { isKept[$0] }.map { Int32(truncatingIfNeeded: $0) }
      if match?.query.isEmpty == false {
        isForced = [Bool](repeating: false, count: items.snapshot.itemCount)
        forest.forEachAncestor(of: arrangement.order, andSelf: false) { isForced[$0] = true }
      }
    }
    if !ranks.scores.isEmpty {
      // Items that are kept only as ancestors have no rank of their own.
      var lengths = [Int32](repeating: 0, count: items.snapshot.itemCount)
      var scores = lengths.map { _ in MatchTexts.noMatch }
      for item in arrangement.order {
        scores[Int(item)] = ranks.scores[Int(item)]
        lengths[Int(item)] = ranks.length(of: item)
      }
      forest.spreadRanks(of: order, scores: &scores, lengths: &lengths)
      ranks.scores = scores
      if !ranks.lengths.isEmpty { ranks.lengths = lengths }
    }
    if isStopped() { return false }
    guard sort(&order, items, ranks, isStopped: isStopped) else { return false }
    var isMatched: [Bool] = []
    if order.count > arrangement.order.count {
      isMatched = [Bool](repeating: false, count: items.snapshot.itemCount)
      for item in arrangement.order { isMatched[Int(item)] = true }
    }
    return arrange(
      order, in: forest, links: links, traits: (isForced, isMatched),
      ranks: usesRanks ? ranks : ItemRanks(), &tree, &arrangement, items, isStopped: isStopped)
  }

  /// Divides the roots of sorted items into sections, and inserts all other items below their
  /// parents.
  private func arrange(
    _ sorted: [Int32], in forest: OutlineForest, links: ParentLinks,
    traits: (isForced: [Bool], isMatched: [Bool]), ranks: ItemRanks, _ tree: inout Outline,
    _ arrangement: inout ViewArrangement, _ items: ViewItems, isStopped: () -> Bool
  ) -> Bool {
    let source = items.snapshot
    let siblings = Siblings(sorted, forest.parents)
    if isStopped() { return false }
    let (isForced, isMatched) = traits
    arrangement.order = siblings.roots
    switch sections {
    case .keep: arrangement.keepSections(of: source)
    case .merge:
      arrangement.mergeSections(
        isHidden: hidesEmptySections && sorted.isEmpty, members: mergedMembers)
    case .by(let member):
      var groups = Groups(members, member, ownMembers: ownMembers)
      guard groups.divide(&arrangement, source, isStopped: isStopped) else { return false }
      tree.firstItems = groups.firsts
    }
    if isStopped() { return false }
    let roots = arrangement.order
    var starts: [Int32] = []
    var order: [Int32] = []
    order.reserveCapacity(sorted.count)
    tree.reserve(sorted.count)
    var section = 0
    // The number of arranged items at which `isStopped` is called next.
    var nextCheck = 0
    for (index, root) in roots.enumerated() {
      if order.count >= nextCheck {
        if isStopped() { return false }
        nextCheck = order.count + 0x1000
      }
      while section < arrangement.starts.count, Int(arrangement.starts[section]) == index {
        starts.append(Int32(truncatingIfNeeded: order.count))
        section += 1
      }
      siblings.walk(from: root) { item, level in
        order.append(item)
        // A literal would be built by code that is not specialized.
        var traits = Outline.Traits(rawValue: 0)
        if links.isLazy(Int(item)) { traits.insert(.lazy) }
        if isMatched.isEmpty || isMatched[Int(item)] { traits.insert(.matched) }
        if !isForced.isEmpty, isForced[Int(item)] { traits.insert(.forced) }
        let rank =
          ranks.scores.isEmpty
          ? nil : ItemRank(score: ranks.scores[Int(item)], length: ranks.length(of: item))
        tree.append(level: level, traits, rank)
      }
    }
    while starts.count < arrangement.starts.count {
      starts.append(Int32(truncatingIfNeeded: order.count))
    }
    if isStopped() { return false }
    tree.finish()
    arrangement.order = order
    arrangement.starts = starts
    arrangement.outline = tree
    return true
  }

  /// Updates the members of an outline's sections to the items that they show.
  package func describeSections(of arrangement: inout ViewArrangement, _ items: Snapshot) {
    guard case .by(let member) = sections, let outline = arrangement.outline else { return }
    let ends = arrangement.starts.map { Int32(outline.shownCount(before: Int($0))) }
    Groups(members, member, ownMembers: ownMembers).describe(
      &arrangement, items, firsts: outline.firstItems,
      counts: zip(ends.dropFirst(), ends).map { $0 - $1 })
  }

  /// Calls a closure with the identifier of each item's parent, if it has one, and whether the item
  /// is lazy. Returns false if it `isStopped`.
  package func forEachLink(
    of items: Snapshot, isStopped: () -> Bool,
    _ body: (Int, (kind: IDKind, id: UnsafeRawBufferPointer)?, _ isLazy: Bool) -> Void
  ) -> Bool {
    var links = LinkReader(outline?.parent)
    let texts = ItemTexts(items)
    for item in 0..<items.itemCount {
      if item & 0xFFF == 0xFFF, isStopped() { return false }
      links.read(texts[item]) { body(item, $0, $1) }
    }
    return true
  }
}

/// Reads the parents that items name. Its memory is reused for each item.
struct LinkReader: ~Copyable {
  private let parent: Int
  private let lazy: Int
  private var values: MemberValues
  private var encoder = ValueEncoder()

  /// Creates a reader of the member that names the parent.
  init(_ name: [UInt8]?) {
    var members = MemberPaths()
    parent = members.index(of: name ?? [])
    lazy = members.index(of: Array("lazy".utf8))
    values = MemberValues(members)
  }

  /// Calls a closure with the identifier of an item's parent, `nil` if it names none, and with
  /// whether the item is lazy.
  mutating func read<Result>(
    _ item: UnsafeRawBufferPointer,
    _ body: ((kind: IDKind, id: UnsafeRawBufferPointer)?, _ isLazy: Bool) -> Result
  ) -> Result {
    values.read(item)
    let isLazy = values[lazy].map { $0[0] == 0x74 } ?? false
    guard let value = values[parent] else { return body(nil, isLazy) }
    switch value[0] {
    case 0x22: return encoder.withString(value) { body((.string, $0), isLazy) }
    case 0x2D, 0x30...0x39:
      guard let digits = JSONNumber(value).integerDigits(limit: Groups.longestInteger) else {
        return body(nil, isLazy)
      }
      return digits.withUnsafeBytes { body((.integer, $0), isLazy) }
    default: return body(nil, isLazy)
    }
  }
}

/// The children of each item, in order.
private struct Siblings {
  /// The first child of each item, and its next sibling; -1 for none.
  private var firstChild: [Int32]
  private var next: [Int32]
  private let parents: [Int32]
  private(set) var roots: [Int32] = []

  /// Creates the children of items. `sorted` are the items of the tree, with all their ancestors.
  init(_ sorted: [Int32], _ parents: [Int32]) {
    self.parents = parents
    firstChild = Array(repeating: -1, count: parents.count)
    next = firstChild
    for item in sorted.reversed() {
      let parent = Int(parents[Int(item)])
      if parent < 0 {
        roots.append(item)
      } else {
        next[Int(item)] = firstChild[parent]
        firstChild[parent] = item
      }
    }
    roots.reverse()
  }

  /// Visits a root and all its descendants, parents first.
  func walk(from root: Int32, _ visit: (Int32, _ level: Int) -> Void) {
    var item = root
    var level = 0
    while true {
      visit(item, level)
      if firstChild[Int(item)] >= 0 {
        item = firstChild[Int(item)]
        level += 1
        continue
      }
      while item != root, next[Int(item)] < 0 {
        item = parents[Int(item)]
        level -= 1
      }
      if item == root { return }
      item = next[Int(item)]
    }
  }
}
