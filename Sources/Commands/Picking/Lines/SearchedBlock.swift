import FuzzyMatch

/// Lines that are searched together, and what was found in them. One thread at a time has it.
final class SearchedBlock {
  /// The number of lines of a block that is full.
  static let most = 1 << 16

  /// The lines that have arrived and are kept, and how many of them are there.
  struct Content: Equatable {
    var lines = 0..<0
    var count = 0

    /// The number of lines that were removed so far.
    var removals = 0
  }

  /// The number of the first line.
  let first: Int
  private(set) var content = Content()

  /// The removed lines, in the order of removal.
  private(set) var removals: [Int] = []
  var isBusy = false

  var texts = TextStore()

  /// The number of lines that were read into the store; that of lines before those that are kept, and that
  /// of removed lines, which were removed from it.
  private(set) var read = 0
  private var dropped = 0
  private var removed = 0

  /// What was found, by the number of a request, in which lines.
  var number = 0
  var searched = Content()
  var matched = 0
  var found: [RankedLine] = []

  /// The lines of the input then, if not all are kept.
  var input: LineStore.Lines?

  init(first: Int) { self.first = first }

  /// Whether lines have to be read or removed.
  var isOld: Bool {
    read < content.lines.upperBound || dropped < content.lines.lowerBound
      || removed < removals.count
  }

  /// Sets which lines have arrived and are kept.
  func set(_ lines: Range<Int>) {
    guard lines != content.lines else { return }
    content.lines = lines
    content.count = lines.count
    if !removals.isEmpty { content.count -= removals.count { lines.contains($0) } }
  }

  /// Removes a line that has arrived.
  func remove(_ line: Int) {
    removals.append(line)
    content.removals += 1
    if content.lines.contains(line) { content.count -= 1 }
  }

  /// Reads and removes lines, until the store has those of a range that were not removed.
  ///
  /// - Parameters:
  ///   - lines: The lines of the input, whose first ones, `skipped`, are not searched.
  func update(
    to range: Range<Int>, removing removals: [Int], of lines: LineStore.Lines,
    skipping skipped: Int, _ form: LineForm, _ row: inout RowText
  ) {
    for line in dropped..<max(dropped, range.lowerBound) { texts.remove(Int32(line)) }
    dropped = range.lowerBound
    let absent = Set(removals[removed...])
    for line in absent { texts.remove(Int32(line)) }
    removed = removals.count
    read = max(read, dropped)
    while read < range.upperBound {
      let line = skipped + first + read
      let (chunk, start) = lines.chunk(with: line)
      let end = min(start + chunk.ends.count, skipped + first + range.upperBound)
      for line in line..<end {
        let number = line - skipped - first
        guard absent.isEmpty || !absent.contains(number) else { continue }
        form.read(chunk[line - start], into: &row)
        texts.set(Int32(number), to: row)
      }
      read = end - skipped - first
    }
  }
}
