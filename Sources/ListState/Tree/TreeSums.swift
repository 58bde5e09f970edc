/// The sums of a subtree.
struct TreeSums: Hashable, BitwiseCopyable, Sendable {
  private var itemSum: Int32
  private var rowSum: Int32
  private var selectedSum: Int32
  private var elementSum: Int32
  private var hiddenSum: Int32

  static let zero = TreeSums(items: 0)

  init(
    items: Int = 0, rows: Int? = nil, selected: Int = 0, elements: Int = 0, hidden: Int = 0
  ) {
    itemSum = Int32(truncatingIfNeeded: items)
    rowSum = Int32(truncatingIfNeeded: rows ?? items)
    selectedSum = Int32(truncatingIfNeeded: selected)
    elementSum = Int32(truncatingIfNeeded: elements)
    hiddenSum = Int32(truncatingIfNeeded: hidden)
  }

  var items: Int { Int(itemSum) }
  var selected: Int { Int(selectedSum) }

  /// The number of items that are collapsed in an outline, and of those that are not.
  var hidden: Int { Int(hiddenSum) }
  var shown: Int { items - hidden }

  /// The number of elements: the leaves of a section, or the sections of a list.
  var elements: Int {
    get { Int(elementSum) }
    set { elementSum = Int32(truncatingIfNeeded: newValue) }
  }

  /// The number of rows of the items, collapsed or not.
  var rows: Int { Int(rowSum) }

  /// A sum by which an element can be found.
  enum Lane {
    case items
    case selected
    case elements
    case shown
    case rows
  }

  subscript(lane: Lane) -> Int {
    switch lane {
    case .items: items
    case .selected: selected
    case .elements: elements
    case .shown: shown
    case .rows: rows
    }
  }

  static func + (a: TreeSums, b: TreeSums) -> TreeSums {
    var sum = a
    sum += b
    return sum
  }

  static func - (a: TreeSums, b: TreeSums) -> TreeSums {
    var difference = a
    difference -= b
    return difference
  }

  static func += (a: inout TreeSums, b: TreeSums) {
    a.itemSum &+= b.itemSum
    a.rowSum &+= b.rowSum
    a.selectedSum &+= b.selectedSum
    a.elementSum &+= b.elementSum
    a.hiddenSum &+= b.hiddenSum
  }

  static func -= (a: inout TreeSums, b: TreeSums) {
    a.itemSum &-= b.itemSum
    a.rowSum &-= b.rowSum
    a.selectedSum &-= b.selectedSum
    a.elementSum &-= b.elementSum
    a.hiddenSum &-= b.hiddenSum
  }
}
