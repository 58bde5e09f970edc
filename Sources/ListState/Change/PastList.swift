import ListDiff

/// An older revision of a list, computed by going back from a snapshot: pieces of newer snapshots.
struct PastList {
  private struct Piece {
    var source: Int
    var items: Range<Int>
  }

  private struct Section {
    /// The snapshot that has the section's own members, and the section's index there.
    var source: Int
    var index: Int
    var pieces: [Piece]

    var count: Int { pieces.reduce(0) { $0 + $1.items.count } }
  }

  private var sources: [Snapshot]
  private var sections: [Section]

  /// Starts from a snapshot.
  init(_ snapshot: Snapshot) {
    sources = [snapshot]
    sections = snapshot.sections.indices.map { section in
      let items = snapshot.arrangement.range(ofSection: section)
      return Section(source: 0, index: section, pieces: [Piece(source: 0, items: items)])
    }
  }

  /// Reports whether to visit the pieces for each range of a step takes longer than to join them.
  func isFragmented(for step: EditStep) -> Bool {
    let pieces = sections.reduce(0) { $0 + $1.pieces.count }
    let items = sections.reduce(0) { $0 + $1.count }
    return sources.count > 1 && pieces * step.items.count > items
  }

  /// Applies a step to the previous revision.
  ///
  /// - Complexity: O(*s* + *p*), where *s* is the number of sections and *p* the number of pieces
  ///   in sections that the step names.
  mutating func goBack(_ step: EditStep) {
    let source = sources.count
    sources.append(step.rest)
    var starts = [0]
    for section in sections { starts.append(starts[starts.count - 1] + section.count) }
    var older: [Section] = []
    for part in step.sections {
      guard case .changed(let listed) = part else {
        if case .kept(let kept) = part {
          older += sections[Int(kept.lowerBound)..<Int(kept.upperBound)]
        }
        continue
      }
      let other = Int(listed.other)
      var section =
        listed.own >= 0
        ? Section(source: source, index: Int(listed.own), pieces: []) : sections[other]
      section.pieces = []
      for items in step.items[Int(listed.items.lowerBound)..<Int(listed.items.upperBound)] {
        if items.areOwn {
          section.pieces.append(Piece(source: source, items: items.range))
        } else {
          addPieces(items.range, starts, to: &section.pieces)
        }
      }
      older.append(section)
    }
    sections = older
  }

  /// Adds the pieces of a range of items.
  private func addPieces(_ items: Range<Int>, _ starts: [Int], to found: inout [Piece]) {
    var section = 0
    var high = sections.count
    while high - section > 1 {
      let middle = (section + high) / 2
      if starts[middle] <= items.lowerBound { section = middle } else { high = middle }
    }
    while section < sections.count, starts[section] < items.upperBound {
      var start = starts[section]
      for piece in sections[section].pieces {
        let common = items.clamped(to: start..<start + piece.items.count)
        if !common.isEmpty {
          let first = piece.items.lowerBound + common.lowerBound - start
          found.append(Piece(source: piece.source, items: first..<first + common.count))
        }
        start += piece.items.count
      }
      section += 1
    }
  }

  /// Returns the revision as a snapshot, or `nil` if it `isStopped`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  func snapshot(isStopped: () -> Bool) -> Snapshot? {
    // Without steps the snapshot is unchanged.
    if sources.count == 1 { return sources[0] }
    var builder = SnapshotBuilder(buffers: [])
    var numbers: [[Int]] = []
    for source in sources {
      let base = builder.snapshot.buffers.count
      numbers.append(source.buffers.indices.map { base + $0 })
      for buffer in source.buffers { builder.addBuffer(buffer) }
    }
    for section in sections {
      let source = sources[section.source]
      var traits = source.sections[section.index]
      traits.own = traits.own.moved(to: numbers[section.source])
      builder.beginSection(source.arrangement.sections[section.index], traits)
      for piece in section.pieces {
        if isStopped() { return nil }
        builder.addItems(
          of: sources[piece.source], piece.items, buffers: numbers[piece.source])
      }
    }
    builder.tidyBuffers()
    builder.finishDistinct()
    if sources[sources.count - 1].arrangement.hasRepeats { builder.findRepeats() }
    return builder.snapshot
  }
}
