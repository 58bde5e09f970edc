import ListState

/// The items of a list that is being restored, as ranges of a journal.
///
/// They are a piece table: applying an edit costs as much as the edit is large.
struct RestoredItems {
  /// A run of consecutive items of a chunk.
  fileprivate struct Piece {
    var chunk: Int
    var range: Range<Int>
  }

  /// The pieces of the list before a change, with the number of items before each.
  struct PieceIndex {
    fileprivate var pieces: [Piece] = []
    fileprivate var starts: [Int] = []
  }

  private var chunks: [[Range<Int>]] = []
  private var pieces: [Piece] = []

  /// The number of items.
  private(set) var count = 0

  /// The present items, for the next change to keep.
  var index: PieceIndex {
    var index = PieceIndex(pieces: pieces)
    var start = 0
    for piece in pieces {
      index.starts.append(start)
      start += piece.range.count
    }
    return index
  }

  /// The ranges of all items, in order.
  var all: [Range<Int>] {
    var all: [Range<Int>] = []
    all.reserveCapacity(count)
    for piece in pieces { all += chunks[piece.chunk][piece.range] }
    return all
  }

  /// The size of all items in bytes.
  var size: Int {
    pieces.reduce(0) { sum, piece in
      chunks[piece.chunk][piece.range].reduce(sum) { $0 + $1.count }
    }
  }

  /// Removes all items and begins a new chunk.
  mutating func beginChange() {
    pieces = []
    count = 0
    chunks.append([])
  }

  /// Appends a new item.
  mutating func append(_ item: Range<Int>) {
    let chunk = chunks.count - 1
    let position = chunks[chunk].count
    chunks[chunk].append(item)
    append(Piece(chunk: chunk, range: position..<position + 1))
  }

  /// Appends items of the list before the change, by their indices there.
  ///
  /// - Complexity: O(log *p* + *k*), where *p* is the number of pieces and *k* the number of them
  ///   that the items are in.
  mutating func keep(_ range: Range<Int>, _ index: PieceIndex) {
    var low = 0
    var high = index.starts.count
    while low < high {
      let middle = (low + high) / 2
      if index.starts[middle] <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var item = range.lowerBound
    var next = low - 1
    while item < range.upperBound {
      let piece = index.pieces[next]
      let start = piece.range.lowerBound + item - index.starts[next]
      let end = min(piece.range.upperBound, start + range.upperBound - item)
      append(Piece(chunk: piece.chunk, range: start..<end))
      item += end - start
      next += 1
    }
  }

  /// Ends a change. Flattens the items if they are in too many pieces.
  mutating func finish() {
    if pieces.count == 1, pieces[0].chunk == chunks.count - 1 {
      chunks = [chunks[pieces[0].chunk]]
      pieces[0].chunk = 0
    } else if max(pieces.count, chunks.count) > RestorationCost.pieces {
      let all = all
      chunks = [all]
      pieces = all.isEmpty ? [] : [Piece(chunk: 0, range: all.indices)]
    }
  }

  private mutating func append(_ piece: Piece) {
    guard !piece.range.isEmpty else { return }
    count += piece.range.count
    if let last = pieces.last, last.chunk == piece.chunk,
      last.range.upperBound == piece.range.lowerBound
    {
      pieces[pieces.count - 1].range = last.range.lowerBound..<piece.range.upperBound
    } else {
      pieces.append(piece)
    }
  }
}
