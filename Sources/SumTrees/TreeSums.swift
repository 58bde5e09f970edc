/// The sums of a subtree.
@frozen @usableFromInline package struct TreeSums: Hashable, BitwiseCopyable, Sendable {
  @usableFromInline var itemSum: Int32
  @usableFromInline var rowSum: Int32
  @usableFromInline var selectedSum: Int32
  @usableFromInline var elementSum: Int32
  @usableFromInline var hiddenSum: Int32
  @usableFromInline var untouchedSum: Int32

  /// No items.
  @inlinable @inline(__always) package static var zero: TreeSums { TreeSums(items: 0) }

  /// Creates the sums of items, each of which is a row unless `rows` are given.
  @inlinable @inline(__always)
  package init(
    items: Int = 0, rows: Int? = nil, selected: Int = 0, elements: Int = 0, hidden: Int = 0,
    untouched: Int = 0
  ) {
    itemSum = Int32(truncatingIfNeeded: items)
    rowSum = Int32(truncatingIfNeeded: rows ?? items)
    selectedSum = Int32(truncatingIfNeeded: selected)
    elementSum = Int32(truncatingIfNeeded: elements)
    hiddenSum = Int32(truncatingIfNeeded: hidden)
    untouchedSum = Int32(truncatingIfNeeded: untouched)
  }

  /// The number of items, and of those that are selected.
  @inlinable @inline(__always) package var items: Int { Int(itemSum) }
  @inlinable @inline(__always) package var selected: Int { Int(selectedSum) }

  /// The number of items that are collapsed in an outline, and of those that are not.
  @inlinable @inline(__always) package var hidden: Int { Int(hiddenSum) }
  @inlinable @inline(__always) package var shown: Int { items - hidden }

  /// The number of elements: the leaves of a section, or the sections of a list.
  @inlinable @inline(__always) package var elements: Int {
    get { Int(elementSum) }
    set { elementSum = Int32(truncatingIfNeeded: newValue) }
  }

  /// The number of sections that the current change has neither inserted nor moved.
  @inlinable @inline(__always) package var untouched: Int { Int(untouchedSum) }

  /// The number of rows of the items, collapsed or not.
  @inlinable @inline(__always) package var rows: Int { Int(rowSum) }

  /// A sum by which an element can be found.
  @frozen @usableFromInline package enum Lane: Sendable {
    case items
    case selected
    case elements
    case shown
    case rows
    case untouched
  }

  /// Returns a sum.
  @inlinable @inline(__always) package subscript(lane: Lane) -> Int {
    switch lane {
    case .items: items
    case .selected: selected
    case .elements: elements
    case .shown: shown
    case .rows: rows
    case .untouched: untouched
    }
  }

  @inlinable @inline(__always)
  package static func + (a: TreeSums, b: TreeSums) -> TreeSums {
    var sum = a
    sum += b
    return sum
  }

  @inlinable @inline(__always)
  package static func - (a: TreeSums, b: TreeSums) -> TreeSums {
    var difference = a
    difference -= b
    return difference
  }

  @inlinable @inline(__always)
  package static func += (a: inout TreeSums, b: TreeSums) {
    a.itemSum &+= b.itemSum
    a.rowSum &+= b.rowSum
    a.selectedSum &+= b.selectedSum
    a.elementSum &+= b.elementSum
    a.hiddenSum &+= b.hiddenSum
    a.untouchedSum &+= b.untouchedSum
  }

  @inlinable @inline(__always)
  package static func -= (a: inout TreeSums, b: TreeSums) {
    a.itemSum &-= b.itemSum
    a.rowSum &-= b.rowSum
    a.selectedSum &-= b.selectedSum
    a.elementSum &-= b.elementSum
    a.hiddenSum &-= b.hiddenSum
    a.untouchedSum &-= b.untouchedSum
  }
}
