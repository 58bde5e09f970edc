import JSONBytes
import ListState

extension ByteBuffer {
  /// Appends the sections of a snapshot, as far as it has not got them from an older one.
  mutating func append(sectionsOf new: Snapshot, _ reuse: Reuse) {
    let writer = SnapshotWriter(snapshot: new, singleLine: true)
    append(0x5B)
    for section in new.sections.indices {
      append(section > 0 ? ",{\"own\":" : "{\"own\":")
      if reuse.sections[section] >= 0 {
        append(decimal: Int(reuse.sections[section]))
      } else {
        writer.appendOwn(ofSection: section, to: &self)
      }
      append(",\"items\":[")
      let range = new.arrangement.range(ofSection: section)
      var item = range.lowerBound
      while item < range.upperBound {
        if item > range.lowerBound { append(0x2C) }
        let first = Int(reuse.items[item])
        guard first >= 0 else {
          writer.appendItem(item, to: &self)
          item += 1
          continue
        }
        let start = item
        while item < range.upperBound, Int(reuse.items[item]) == first + item - start { item += 1 }
        append(run: first..<first + item - start)
      }
      append("]}")
    }
    append(0x5D)
  }

  /// Appends the sections of a list in terms of what it was before edits.
  mutating func append(sectionsOf edits: EditStep) {
    let writer = SnapshotWriter(snapshot: edits.rest, singleLine: true)
    append(0x5B)
    for (index, sections) in edits.sections.enumerated() {
      if index > 0 { append(0x2C) }
      switch sections {
      case .kept(let range): append(run: Int(range.lowerBound)..<Int(range.upperBound))
      case .changed(let section): append(section, of: edits, writer)
      }
    }
    append(0x5D)
  }

  private mutating func append(
    _ section: EditStep.Section, of edits: EditStep, _ writer: SnapshotWriter
  ) {
    append("{\"own\":")
    if section.own < 0 {
      append(decimal: Int(section.other))
    } else {
      writer.appendOwn(ofSection: Int(section.own), to: &self)
    }
    append(",\"items\":[")
    let items = Int(section.items.lowerBound)..<Int(section.items.upperBound)
    for index in items {
      if index > items.lowerBound { append(0x2C) }
      switch edits.items[index] {
      case .kept(let range): append(run: Int(range.lowerBound)..<Int(range.upperBound))
      case .own(let range):
        for item in range {
          if item > range.lowerBound { append(0x2C) }
          writer.appendItem(Int(item), to: &self)
        }
      }
    }
    append("]}")
  }

  /// Appends runs of indices as an array of `[start, count]`.
  mutating func append(runs: [Range<Int>]) {
    append(0x5B)
    for (place, run) in runs.enumerated() {
      if place > 0 { append(0x2C) }
      append(run: run)
    }
    append(0x5D)
  }

  private mutating func append(run: Range<Int>) {
    append(0x5B)
    append(decimal: run.lowerBound)
    append(0x2C)
    append(decimal: run.count)
    append(0x5D)
  }
}
