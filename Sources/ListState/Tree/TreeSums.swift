/// The sums of a subtree.
struct TreeSums: Hashable, Sendable {
  private var lanes: SIMD8<Int32>

  static let zero = TreeSums(items: 0)

  init(
    items: Int = 0, rows: Int? = nil, selected: Int = 0, elements: Int = 0, hidden: Int = 0
  ) {
    lanes = SIMD8(
      Int32(truncatingIfNeeded: items), Int32(truncatingIfNeeded: selected),
      Int32(truncatingIfNeeded: elements), Int32(truncatingIfNeeded: hidden),
      Int32(truncatingIfNeeded: rows ?? items), 0, 0, 0)
  }

  var items: Int { Int(lanes[0]) }
  var selected: Int { Int(lanes[1]) }

  /// The number of items that are collapsed in an outline, and of those that are not.
  var hidden: Int { Int(lanes[3]) }
  var shown: Int { items - hidden }

  /// The number of elements: the leaves of a section, or the sections of a list.
  var elements: Int {
    get { Int(lanes[2]) }
    set { lanes[2] = Int32(truncatingIfNeeded: newValue) }
  }

  /// The number of rows of the items, collapsed or not.
  var rows: Int { Int(lanes[4]) }

  /// A sum by which an element can be found.
  enum Lane: Int {
    case items
    case selected
    case elements
    case shown
    case rows
  }

  subscript(lane: Lane) -> Int { lane == .shown ? shown : Int(lanes[lane.rawValue]) }

  static func + (a: TreeSums, b: TreeSums) -> TreeSums { TreeSums(lanes: a.lanes &+ b.lanes) }
  static func - (a: TreeSums, b: TreeSums) -> TreeSums { TreeSums(lanes: a.lanes &- b.lanes) }
  static func += (a: inout TreeSums, b: TreeSums) { a = a + b }
  static func -= (a: inout TreeSums, b: TreeSums) { a = a - b }

  private init(lanes: SIMD8<Int32>) { self.lanes = lanes }
}
