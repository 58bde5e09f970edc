import ListState
import ListText

#if DEBUG
  extension TextBook {
    /// The maximum length, in bytes, of texts that are rendered again after each change.
    private static let checkedLength = 64 << 10

    /// Stops the program if a page differs from the list rendered as a whole, or if an invariant of
    /// its text is violated. Long texts are not checked.
    func check(_ page: TextPage, _ list: NamedList, _ ids: borrowing IDTable) {
      guard page.text.byteCount <= Self.checkedLength else { return }
      page.text.checkInvariants()
      var book = self
      let text = book.rendered(
        list.rows, page, of: list, copying: RenderedText(), RowPairs(), ids, isStopped: { false })!
      precondition(page.text.bytes == text.bytes, "a text shows its list")
      let lines = 0..<text.lineCount
      precondition(page.text.spans(ofLines: lines) == text.spans(ofLines: lines), "spans are kept")
      precondition(
        lines.allSatisfy { page.text.owner(ofLine: $0) == text.owner(ofLine: $0) },
        "lines have the right owners")
    }
  }
#endif
