import ByteBuffers
import ListDiff
import ListState

/// The content of a list that is rendered as text.
///
/// Bytes that it returns are valid during its lifetime.
protocol TextSource {
  var sectionCount: Int { get }

  /// Returns the index of the first row of a section; for the number of sections, the number of
  /// rows.
  func firstRow(ofSection section: Int) -> Int

  func row(_ row: Int) -> TextRow

  /// Returns a section's own members and the keys of its templates.
  func header(ofSection section: Int) -> (own: UnsafeRawBufferPointer, traits: SectionTraits)
}

/// A row, with the JSON of its part, if it is one, and of its item.
struct TextRow {
  var part: UnsafeRawBufferPointer?
  var item: UnsafeRawBufferPointer

  /// The range of the parts in the item, if there are many.
  var parts: Range<Int>?

  /// The index of the item.
  var index: Int

  /// The key of the template plus one, 0 for the default template.
  var template: UInt32
  var isSelected: Bool
}

/// The rows of a snapshot with a selection.
struct SnapshotSource: TextSource {
  let snapshot: Snapshot
  let selected: BitSet

  init(snapshot: Snapshot, selected: BitSet) {
    self.snapshot = snapshot
    self.selected = selected
  }

  /// Creates the rows of a list that is kept as a snapshot.
  init(_ list: NamedList) { self.init(snapshot: list.snapshot, selected: list.selection.items) }

  var sectionCount: Int { snapshot.sections.count }

  func firstRow(ofSection section: Int) -> Int { Int(snapshot.rowStarts[section]) }

  func row(_ row: Int) -> TextRow {
    let item = snapshot.item(ofRow: row)
    return TextRow(
      part: snapshot.isPart(row) ? snapshot.bytes(of: snapshot.payload(ofRow: row)) : nil,
      item: snapshot.bytes(of: snapshot.payloads[item]), parts: snapshot.partsRange(ofItem: item),
      index: item, template: snapshot.template(ofRow: row),
      isSelected: selected.count > 0 && selected.contains(item))
  }

  func header(ofSection section: Int) -> (own: UnsafeRawBufferPointer, traits: SectionTraits) {
    let traits = snapshot.sections[section]
    return (snapshot.bytes(of: traits.own), traits)
  }
}

extension ListRows: TextSource {
  func firstRow(ofSection section: Int) -> Int { start(ofSection: section) }

  func row(_ row: Int) -> TextRow {
    let record: ListRows.Row = self.row(row)
    return TextRow(
      part: record.part, item: record.item, parts: record.parts, index: item(ofRow: row),
      template: record.template, isSelected: record.isSelected)
  }

  func header(ofSection section: Int) -> (own: UnsafeRawBufferPointer, traits: SectionTraits) {
    (bytes(ofSection: section), traits(ofSection: section))
  }
}
