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

  /// Appends the sections of a list in pieces, as far as they are not as they were.
  mutating func append(sectionsOf reuse: DraftReuse) {
    append(0x5B)
    for (place, sections) in reuse.sections.enumerated() {
      if place > 0 { append(0x2C) }
      switch sections {
      case .kept(let range): append(run: range)
      case .changed(let section): append(section, of: reuse)
      }
    }
    append(0x5D)
  }

  private mutating func append(_ section: DraftReuse.Section, of reuse: DraftReuse) {
    func writer(_ source: Int) -> SnapshotWriter {
      SnapshotWriter(snapshot: reuse.sources[source], singleLine: true)
    }
    append("{\"own\":")
    if let own = section.own {
      append(decimal: own)
    } else {
      writer(section.source).appendOwn(ofSection: section.index, to: &self)
    }
    append(",\"items\":[")
    for (place, items) in section.items.enumerated() {
      if place > 0 { append(0x2C) }
      switch items {
      case .kept(let range): append(run: range)
      case .brought(let source, let range):
        for item in range {
          if item > range.lowerBound { append(0x2C) }
          writer(source).appendItem(item, to: &self)
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
