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

/// A node of a B+-tree of pieces with sums. Trees share nodes, which are never changed:
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
struct TextNode: Sendable {
  /// The maximum number of children, and the minimum for a node that becomes a child.
  static let fanOut = 16
  private static let least = fanOut / 2

  private enum Content {
    case piece(SharedPiece)
    case children([TextNode])
  }

  let sums: TextSums
  private let height: Int
  private var content: Content

  static let empty = TextNode(TextPiece())

  init(_ piece: TextPiece) {
    sums = piece.sums
    height = 0
    content = .piece(SharedPiece(piece))
  }

  /// Creates a node with children, and with their sums if these are known.
  private init(_ children: [TextNode], _ known: TextSums? = nil) {
    sums = known ?? children.reduce(TextSums()) { $0 + $1.sums }
    height = children[0].height + 1
    content = .children(children)
  }

  private var children: [TextNode] {
    if case .children(let children) = content { children } else { [] }
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

  /// Appends the pieces of another node. Children that no other node shares are changed in place.
  ///
  /// - Complexity: O(*d*), where *d* is the difference of the heights, plus one.
  mutating func append(_ other: TextNode) {
    if sums.blocks == 0 {
      self = other
      return
    }
    let sums = sums + other.sums
    if height == other.height, isFilled, other.isFilled {
      self = TextNode([self, other], sums)
      return
    }
    if height < other.height {
      append(other.children[0])
      let rest = other.children.dropFirst()
      self = Self.node(of: (height < other.height ? [self] : children) + rest, sums)
      return
    }
    var children = children
    content = .children([])
    if height == other.height {
      children += other.children
    } else if height == other.height + 1, other.isFilled {
      children.append(other)
    } else {
      var last = children.removeLast()
      last.append(other)
      if last.height < height { children.append(last) } else { children += last.children }
    }
    self = Self.node(of: children, sums)
  }

  /// Returns the pieces that contain a range of blocks, which begins and ends with a piece.
  ///
  /// - Complexity: O(log *m*), where *m* is the number of pieces.
  func slice(_ blocks: Range<Int>) -> TextNode {
    if blocks == 0..<sums.blocks { return self }
    let children = children
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
      result.append(children[first])
    } else if index > first {
      result.append(TextNode(Array(children[first..<index])))
    }
    if start < blocks.upperBound {
      result.append(children[index].slice(0..<blocks.upperBound - start))
    }
    return result
  }

  /// Returns the piece that covers an offset, in units of a lane, and the sums of the pieces before
  /// it. The offset is less than the node's sum.
  func find(_ offset: Int, _ lane: TextSums.Lane) -> (piece: SharedPiece, before: TextSums) {
    var content = content
    var before = TextSums()
    while true {
      switch content {
      case .piece(let piece): return (piece, before)
      case .children(let children):
        var index = 0
        while before[lane] + children[index].sums[lane] <= offset {
          before = before + children[index].sums
          index += 1
        }
        content = children[index].content
      }
    }
  }

  /// Stops the program if an invariant is violated: sums are those of the children, all pieces have
  /// the same depth, and inner nodes below the root have enough children.
  func checkInvariants() {
    switch content {
    case .piece(let piece):
      piece.blocks.checkInvariants()
      precondition(sums == piece.blocks.sums, "a node has the sums of its piece")
    case .children(let children):
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
}
