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
      blocks: a.blocks + b.blocks, rows: a.rows + b.rows, sections: a.sections + b.sections,
      lines: a.lines + b.lines, bytes: a.bytes + b.bytes, spans: a.spans + b.spans)
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

  private indirect enum Content {
    case piece(TextPiece)
    case children([TextNode])
  }

  let sums: TextSums
  private let height: Int
  private let content: Content

  init(_ piece: TextPiece) {
    sums = piece.sums
    height = 0
    content = .piece(piece)
  }

  private init(_ children: [TextNode]) {
    sums = children.reduce(TextSums()) { $0 + $1.sums }
    height = children[0].height + 1
    content = .children(children)
  }

  private var children: [TextNode] {
    if case .children(let children) = content { children } else { [] }
  }

  /// Whether the node has as many children as an inner node must have.
  private var isFilled: Bool { height == 0 || children.count >= Self.least }

  /// Returns a node with children, or with two nodes that share them evenly.
  private static func node(of children: [TextNode]) -> TextNode {
    if children.count <= fanOut { return TextNode(children) }
    let half = children.count / 2
    return TextNode([TextNode(Array(children[..<half])), TextNode(Array(children[half...]))])
  }

  /// Returns the pieces of two nodes, one after the other.
  ///
  /// - Complexity: O(*d*), where *d* is the difference of the heights, plus one.
  static func + (a: TextNode, b: TextNode) -> TextNode {
    if a.height == b.height {
      return a.isFilled && b.isFilled ? TextNode([a, b]) : node(of: a.children + b.children)
    }
    if a.height > b.height {
      let joined = a.children.last! + b
      let rest = a.children.dropLast()
      return node(of: rest + (joined.height < a.height ? [joined] : joined.children))
    }
    let joined = a + b.children[0]
    let rest = b.children.dropFirst()
    return node(of: (joined.height < b.height ? [joined] : joined.children) + rest)
  }

  /// Returns the pieces that contain a range of blocks, which begins and ends with a piece.
  ///
  /// - Complexity: O(log *m*), where *m* is the number of pieces.
  func slice(_ blocks: Range<Int>) -> TextNode? {
    if blocks.isEmpty { return nil }
    if blocks == 0..<sums.blocks { return self }
    var result: TextNode?
    func add(_ node: TextNode) { result = result.map { $0 + node } ?? node }
    var whole: [TextNode] = []
    func addWhole() {
      guard let first = whole.first else { return }
      add(whole.count == 1 ? first : TextNode(whole))
      whole = []
    }
    var start = 0
    for child in children {
      let end = start + child.sums.blocks
      let own = blocks.clamped(to: start..<end)
      if own == start..<end {
        whole.append(child)
      } else if !own.isEmpty {
        addWhole()
        add(child.slice(own.lowerBound - start..<own.upperBound - start)!)
      }
      start = end
    }
    addWhole()
    return result
  }

  /// Returns the piece that covers an offset, in units of a lane, and the sums of the pieces before
  /// it. The offset is less than the node's sum.
  func find(_ offset: Int, _ lane: TextSums.Lane) -> (piece: TextPiece, before: TextSums) {
    var node = self
    var before = TextSums()
    while true {
      switch node.content {
      case .piece(let piece): return (piece, before)
      case .children(let children):
        var index = 0
        while before[lane] + children[index].sums[lane] <= offset {
          before = before + children[index].sums
          index += 1
        }
        node = children[index]
      }
    }
  }

  /// Stops the program if an invariant is violated: sums are those of the children, all pieces have
  /// the same depth, and inner nodes below the root have enough children.
  func checkInvariants() {
    switch content {
    case .piece(let piece):
      piece.checkInvariants()
      precondition(sums == piece.sums, "a node has the sums of its piece")
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
