import ListDiff
import ListState
import ListText

extension RowPairs {
  /// Creates the pairs of a text and of the list that edits have made.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of runs and listed sections and *n* the
  ///   number of rows of the text.
  init(_ text: RenderedText, _ change: RowRuns) {
    self.init()
    var block = 0
    var next = 0
    /// Appends sections that are shown as before.
    func keep(_ sections: Range<Int>, _ pairs: inout RowPairs) {
      let blocks = text.blocks(ofSections: sections)
      pairs.append(blocks.lowerBound, block, blocks.count, isSame: true)
      block += blocks.count
    }
    for section in change.sections {
      if let old = section.old, section.count > 1 {
        keep(old..<old + section.count, &self)
        continue
      }
      let own = section.old.map { text.blocks(ofSections: $0..<$0 + 1) }
      if !change.listsAll, let old = section.old {
        keep(next..<old, &self)
        next = old + 1
      }
      let shift = block + 1
      if let own { append(own.lowerBound, block, 1, isSame: section.isSame) }
      for run in change.runs[section.runs] {
        append(
          text.block(ofRow: run.old, in: run.oldSection), shift + run.new - section.firstRow,
          run.count, isSame: run.isSame)
      }
      block = shift + section.rowCount + 1
      if let own { append(own.upperBound - 1, block - 1, 1, isSame: section.isSame) }
    }
    if !change.listsAll { keep(next..<text.sectionCount, &self) }
  }
}
