import ListState

/// The items of a list in the making, by their places in a journal.
///
/// They are in pieces, so that taking in an edit costs what the edit does.
struct RestoredItems {
  /// A run of items of a chunk.
  fileprivate struct Piece {
    var chunk: Int
    var range: Range<Int>
  }

  /// Pieces with the number of items before each, for who takes items from them.
  struct Places {
    fileprivate var pieces: [Piece] = []
    fileprivate var starts: [Int] = []
  }

  private var chunks: [[Range<Int>]] = []
  private var pieces: [Piece] = []

  /// The number of items.
  private(set) var count = 0

  /// The items as they are, to be taken over.
  var places: Places {
    var places = Places(pieces: pieces)
    var start = 0
    for piece in pieces {
      places.starts.append(start)
      start += piece.range.count
    }
    return places
  }

  /// The places of all items, in order.
  var all: [Range<Int>] {
    var all: [Range<Int>] = []
    all.reserveCapacity(count)
    for piece in pieces { all += chunks[piece.chunk][piece.range] }
    return all
  }

  /// The number of bytes of all items.
  var size: Int {
    pieces.reduce(0) { sum, piece in
      chunks[piece.chunk][piece.range].reduce(sum) { $0 + $1.count }
    }
  }

  /// Begins with no items, in a chunk of their own.
  mutating func beginAnew() {
    pieces = []
    count = 0
    chunks.append([])
  }

  /// Appends an item that was not there before.
  mutating func append(_ item: Range<Int>) {
    let chunk = chunks.count - 1
    let place = chunks[chunk].count
    chunks[chunk].append(item)
    append(Piece(chunk: chunk, range: place..<place + 1))
  }

  /// Appends items that were there before, by their places among those.
  ///
  /// - Complexity: O(log *p* + *k*), where *p* is the number of pieces and *k* that of those that the
  ///   items are in.
  mutating func keep(_ range: Range<Int>, _ places: Places) {
    var low = 0
    var high = places.starts.count
    while low < high {
      let middle = (low + high) / 2
      if places.starts[middle] <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var item = range.lowerBound
    var next = low - 1
    while item < range.upperBound {
      let piece = places.pieces[next]
      let start = piece.range.lowerBound + item - places.starts[next]
      let end = min(piece.range.upperBound, start + range.upperBound - item)
      append(Piece(chunk: piece.chunk, range: start..<end))
      item += end - start
      next += 1
    }
  }

  /// Ends what was begun anew, and puts the items together where they are in many pieces.
  mutating func finish() {
    if pieces.count == 1, pieces[0].chunk == chunks.count - 1 {
      chunks = [chunks[pieces[0].chunk]]
      pieces[0].chunk = 0
    } else if max(pieces.count, chunks.count) > RestoringCost.pieces {
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
