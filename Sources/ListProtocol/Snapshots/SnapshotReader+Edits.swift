import JSONBytes
import ListState

extension SnapshotReader {
  /// Returns the section of items that are not in sections.
  static func mainSection(_ ids: inout IDTable) -> MainSection {
    let name: StaticString = "main"
    let key = name.withUTF8Buffer { ids.intern(.string, UnsafeRawBufferPointer($0)) }
    return MainSection(key: key, own: main)
  }

  /// Reads the items or sections of one edit, at which `reader` is, and appends them to those of the
  /// edits before.
  ///
  /// - Throws: -32602 if it is not an array of items or sections.
  mutating func readGiven(
    _ value: Value, _ reader: JSONReader, _ content: EditReader.Kind.Content,
    _ store: inout ListStore
  ) throws(Failure) -> EditContent {
    let isSections = content.name == .sections
    itemsRule = content.rule
    begin(value, reader)
    if builder.snapshot.buffers.isEmpty { builder = SnapshotBuilder(buffers: [message]) }
    before = (builder.snapshot.sections.count, builder.snapshot.itemCount)
    duplicateParts.removeAll()
    // Where the items are in the message does not matter.
    builder.recordDepth(1)
    // The items of an edit are not in a section, but one before them must end.
    if !isSections, before.sections > 0 { builder.beginSection(0, SectionTraits(own: .empty)) }
    try readList(isSections: isSections, value, &store)
    try checkOverflow(store.ids)
    let hasDuplicates = builder.findRepeats(
      fromSection: before.sections, item: before.items, using: &store.keyIndices)
    return EditContent(
      items: before.items..<builder.snapshot.itemCount,
      sections: before.sections..<builder.snapshot.sections.count,
      hasDuplicates: hasDuplicates || !duplicateParts.isEmpty)
  }

  /// Returns all items and sections of the edits.
  mutating func finishGiven() -> Snapshot {
    if builder.snapshot.buffers.isEmpty { return Snapshot() }
    builder.finishDistinct()
    addBuffers()
    return builder.snapshot
  }
}
