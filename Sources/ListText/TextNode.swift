/// The numbers of what a part of a text contains.
struct TextSums: Hashable, Sendable {
  var blocks = 0
  var rows = 0
  var sections = 0
  var lines = 0
  var bytes = 0
  var spans = 0

  static func + (a: TextSums, b: TextSums) -> TextSums {
    TextSums(
      blocks: a.blocks &+ b.blocks, rows: a.rows &+ b.rows, sections: a.sections &+ b.sections,
      lines: a.lines &+ b.lines, bytes: a.bytes &+ b.bytes, spans: a.spans &+ b.spans)
  }

  /// A sum by which a piece can be found.
  enum Lane {
    case blocks
    case rows
    case sections
    case lines
    case bytes
  }

  subscript(lane: Lane) -> Int {
    switch lane {
    case .blocks: blocks
    case .rows: rows
    case .sections: sections
    case .lines: lines
    case .bytes: bytes
    }
  }
}

/// A node of a B+-tree of pieces with sums. Trees share nodes; only one that no other node and no text has is
/// changed:
///
/// ```
///               inner [ 96 | 120 ]               sums of the children
///                    /        \
///       pieces [ 48, 48 ]   pieces [ 60, 60 ]
/// ```
///
/// Two trees are joined along the spines that face each other (as in "Ropes: an Alternative to
/// Strings" by Boehm, Atkinson and Plass, 1995), so with *m* pieces a concatenation or a slice is
/// O(log *m*).
final class TextNode: @unchecked Sendable {
  /// The maximum number of children, and the minimum for a node that becomes a child.
  static let fanOut = 16
  private static let least = fanOut / 2

  /// The piece; without blocks in an inner node.
  let blocks: TextPiece
  private(set) var sums: TextSums
  private let height: Int
  private var children: [TextNode]

  static let empty = TextNode(TextPiece())

  init(_ piece: TextPiece) {
    blocks = piece
    sums = piece.sums
    height = 0
    children = []
  }

  /// Creates a node with children, and with their sums if these are known.
  private init(_ children: [TextNode], _ known: TextSums? = nil) {
    blocks = TextPiece()
    sums = known ?? children.reduce(TextSums()) { $0 + $1.sums }
    height = children[0].height + 1
    self.children = children
  }

  /// Whether the node has as many children as an inner node must have.
  private var isFilled: Bool { height == 0 || children.count >= Self.least }

  /// Returns a node with children and their sums, or with two nodes that share them evenly.
  private static func node(of children: [TextNode], _ sums: TextSums) -> TextNode {
    if children.count <= fanOut { return TextNode(children, sums) }
    let half = children.count / 2
    return TextNode(
      [TextNode(Array(children[..<half])), TextNode(Array(children[half...]))], sums)
  }

  /// Appends the pieces of another node to a node.
  ///
  /// - Complexity: O(*d*), where *d* is the difference of the heights, plus one.
  static func append(_ other: TextNode, to node: inout TextNode) {
    if node.sums.blocks == 0 {
      node = other
      return
    }
    let sums = node.sums + other.sums
    if node.height == other.height, node.isFilled, other.isFilled {
      node = TextNode([node, other], sums)
      return
    }
    if node.height < other.height {
      append(other.children[0], to: &node)
      let rest = other.children.dropFirst()
      node = Self.node(of: (node.height < other.height ? [node] : node.children) + rest, sums)
      return
    }
    let isShared = !isKnownUniquelyReferenced(&node)
    var children = node.children
    if !isShared { node.children = [] }
    if node.height == other.height {
      children += other.children
    } else if node.height == other.height + 1, other.isFilled {
      children.append(other)
    } else {
      var last = children.removeLast()
      append(other, to: &last)
      if last.height < node.height { children.append(last) } else { children += last.children }
    }
    if isShared || children.count > fanOut {
      node = Self.node(of: children, sums)
    } else {
      (node.children, node.sums) = (children, sums)
    }
  }

  /// Returns the pieces that contain a range of blocks, which begins and ends with a piece.
  ///
  /// - Complexity: O(log *m*), where *m* is the number of pieces.
  func slice(_ blocks: Range<Int>) -> TextNode {
    if blocks == 0..<sums.blocks { return self }
    // At most the first child and the last one are cut.
    var start = 0
    var index = 0
    while start + children[index].sums.blocks <= blocks.lowerBound {
      start += children[index].sums.blocks
      index += 1
    }
    var result = TextNode.empty
    if start < blocks.lowerBound {
      let end = start + children[index].sums.blocks
      result = children[index].slice(
        blocks.lowerBound - start..<min(blocks.upperBound, end) - start)
      (start, index) = (end, index + 1)
    }
    let first = index
    while index < children.count, start + children[index].sums.blocks <= blocks.upperBound {
      start += children[index].sums.blocks
      index += 1
    }
    if index == first + 1 {
      Self.append(children[first], to: &result)
    } else if index > first {
      Self.append(TextNode(Array(children[first..<index])), to: &result)
    }
    if start < blocks.upperBound {
      Self.append(children[index].slice(0..<blocks.upperBound - start), to: &result)
    }
    return result
  }

  /// Returns the node with other pieces in the place of some, which are those of a range of blocks; `nil` if
  /// these are children of several nodes, or if a node would get too many or too few children.
  ///
  /// - Complexity: O(log *m*), where *m* is the number of pieces.
  func replacing(_ blocks: Range<Int>, by pieces: [TextNode]) -> TextNode? {
    var start = 0
    var index = 0
    while index < children.count, start + children[index].sums.blocks <= blocks.lowerBound {
      start += children[index].sums.blocks
      index += 1
    }
    guard index < children.count else { return nil }
    var changed = children
    guard height > 1 else {
      var last = index
      while start < blocks.upperBound {
        start += children[last].sums.blocks
        last += 1
      }
      changed.replaceSubrange(index..<last, with: pieces)
      let fewest = min(Self.least, children.count)
      return (fewest...Self.fanOut).contains(changed.count) ? TextNode(changed) : nil
    }
    guard blocks.upperBound <= start + children[index].sums.blocks,
      let child = children[index].replacing(
        blocks.lowerBound - start..<blocks.upperBound - start, by: pieces)
    else { return nil }
    changed[index] = child
    return TextNode(changed)
  }

  /// Returns the sums of what is before a block, with which a piece begins or the pieces end.
  func sums(before block: Int) -> TextSums {
    block == sums.blocks ? sums : find(block, .blocks).before
  }

  /// Returns the node of the piece that covers an offset, in units of a lane, and the sums of the pieces
  /// before it. The offset is less than the node's sum.
  func find(_ offset: Int, _ lane: TextSums.Lane) -> (piece: TextNode, before: TextSums) {
    var node = self
    var before = TextSums()
    while node.height > 0 {
      var index = 0
      while before[lane] + node.children[index].sums[lane] <= offset {
        before = before + node.children[index].sums
        index += 1
      }
      node = node.children[index]
    }
    return (node, before)
  }

  /// Stops the program if an invariant is violated: sums are those of the children, all pieces have
  /// the same depth, and inner nodes below the root have enough children.
  func checkInvariants() {
    guard height > 0 else {
      blocks.checkInvariants()
      precondition(sums == blocks.sums, "a node has the sums of its piece")
      return
    }
    precondition(children.count <= Self.fanOut && !children.isEmpty, "a node has children")
    precondition(
      sums == children.reduce(TextSums()) { $0 + $1.sums }, "a node has its children's sums")
    for child in children {
      precondition(child.height == height - 1, "pieces have the same depth")
      precondition(child.isFilled, "a node below the root has enough children")
      child.checkInvariants()
    }
  }
}
