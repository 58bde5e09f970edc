import FuzzyMatch

/// Lines that are searched together, and what was found in them. One thread at a time has it.
final class SearchedBlock {
  /// The number of lines of a block that is full.
  static let most = 1 << 16

  /// The number of the first line, and the number of lines that have arrived in the block.
  let first: Int
  var count = 0

  /// The number of lines at the beginning that are not kept any more.
  var dropped = 0
  var isBusy = false

  var texts = TextStore()

  /// The number of lines that were read into the store, and of those that were removed from it.
  private(set) var read = 0
  private var removed = 0

  /// What was found, by the number of a request, in which lines.
  var number = 0
  var searched = 0..<0
  var matched = 0
  var found: [RankedLine] = []

  /// The lines of the input then, if not all are kept.
  var input: LineStore.Lines?

  init(first: Int) { self.first = first }

  /// The lines that are there.
  var lines: Range<Int> { dropped..<max(count, dropped) }

  /// Whether lines have to be read or removed.
  var isOld: Bool { read < count || removed < dropped }

  /// Reads and removes lines, until the store has those of a range.
  ///
  /// - Parameters:
  ///   - lines: The lines of the input, whose first ones, `skipped`, are not searched.
  func update(
    to range: Range<Int>, of lines: LineStore.Lines, skipping skipped: Int, _ form: LineForm,
    _ row: inout RowText
  ) {
    while removed < range.lowerBound {
      texts.remove(Int32(removed))
      removed += 1
    }
    read = max(read, removed)
    while read < range.upperBound {
      let line = skipped + first + read
      let (chunk, start) = lines.chunk(with: line)
      let end = min(start + chunk.ends.count, skipped + first + range.upperBound)
      for line in line..<end {
        form.read(chunk[line - start], into: &row)
        texts.set(Int32(line - skipped - first), to: row)
      }
      read = end - skipped - first
    }
  }
}
