import ByteBuffers
import ListDiff

extension EditStep {
  /// Creates a snapshot in terms of another one. `kept` are the indices there of the items that are equal,
  /// byte by byte, -1 for the others.
  ///
  /// - Complexity: O(*n*), where *n* is the number of sections and items.
  init(_ snapshot: borrowing Snapshot, from other: borrowing Snapshot, keeping kept: [Int32]) {
    var content = CopiedContent()
    content.add(snapshot, from: other, kept)
    self = content.step(hasRepeats: snapshot.arrangement.hasRepeats)
  }

  /// Creates a snapshot in terms of an empty list. Shares the memory of the snapshot.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  package init(_ snapshot: Snapshot) {
    var sections: [Sections] = []
    var items: [Items] = []
    for index in snapshot.sections.indices {
      let first = Int32(truncatingIfNeeded: items.count)
      let range = snapshot.arrangement.range(ofSection: index)
      if !range.isEmpty { items.append(Items(own: Range(range))) }
      sections.append(
        .changed(
          Section(
            other: -1, own: Int32(truncatingIfNeeded: index),
            items: first..<Int32(truncatingIfNeeded: items.count))))
    }
    self.init(sections: sections, items: items, rest: snapshot)
  }
}

extension StepContent {
  /// Adds the sections and items of a snapshot. `kept` are the indices in another one of the items that it
  /// keeps, -1 for the others.
  mutating func add(
    _ snapshot: borrowing Snapshot, from other: borrowing Snapshot, _ kept: [Int32]
  ) {
    let keys = snapshot.arrangement.sections
    let others =
      keys == other.arrangement.sections
      ? nil
      : Dictionary(
        other.arrangement.sections.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    let kept = kept.span
    for section in keys.indices {
      let partner = others.map { $0[keys[section]] ?? -1 } ?? section
      let traits = snapshot.sections[section]
      let isSame = partner >= 0 && snapshot.hasSection(section, equalTo: partner, of: other)
      beginSection(
        other: Int32(truncatingIfNeeded: partner),
        own: isSame ? nil : (keys[section], traits, snapshot.bytes(of: traits.own)))
      let items = snapshot.arrangement.range(ofSection: section)
      var item = items.lowerBound
      while item < items.upperBound {
        let first = item
        while item < items.upperBound, kept[item] >= 0 { item &+= 1 }
        if item > first { keepItems(kept.extracting(first..<item)) }
        while item < items.upperBound, kept[item] < 0 {
          add(snapshot, item)
          item &+= 1
        }
      }
      endSection()
    }
  }

  private mutating func add(_ snapshot: borrowing Snapshot, _ item: Int) {
    let record = ItemRecord(
      key: snapshot.arrangement.rows[item], payload: snapshot.payloads[item],
      details: ItemDetails(template: snapshot.template(ofItem: item)),
      traits: snapshot.traits[item])
    addItem(record, snapshot.bytes(of: record.payload), snapshot.parts(ofItem: item))
  }
}

/// The items of a snapshot that are equal in a newer one, byte by byte.
struct KeptItems {
  /// The index in the newer snapshot of each item, -1 if it is not kept; empty if none is.
  let partners: [Int32]

  /// The number of kept items.
  let count: Int

  /// Creates the items that a change between two snapshots keeps, no item twice. Items with parts are
  /// compared if that `comparesParts`; otherwise only those are kept that are known to be equal.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of both, and the size of those that are
  ///   compared; O(*r*) if all are kept, where *r* is the number of runs of them.
  init(
    _ change: borrowing SnapshotChange, _ old: borrowing Snapshot, _ new: borrowing Snapshot,
    comparesParts: Bool = false
  ) {
    let comparesParts = comparesParts && (old.parts != nil || new.parts != nil)
    guard !change.same.isEmpty || comparesParts else {
      (partners, count) = ([], 0)
      return
    }
    let pairs = change.items.rowsToNew
    // An item of either snapshot may be equal to several of the other one.
    let mayRepeat = old.arrangement.hasRepeats || new.arrangement.hasRepeats
    let most = change.same.reduce(0) { $0 + Int($1.count) }
    if !mayRepeat, most == pairs.count, most == old.itemCount {
      (partners, count) = (pairs, most)
      return
    }
    var kept = [Int32](repeating: -1, count: old.itemCount)
    var isKept = [Bool](repeating: false, count: mayRepeat ? new.itemCount : 0)
    func keep(_ old: Int32, _ new: Int32) {
      if kept[Int(old)] >= 0 || mayRepeat && isKept[Int(new)] { return }
      kept[Int(old)] = new
      if mayRepeat { isKept[Int(new)] = true }
    }
    for run in change.same {
      for offset in 0..<run.count { keep(run.old + offset, run.new + offset) }
    }
    if comparesParts {
      for (item, partner) in pairs.enumerated() where partner >= 0 && kept[item] < 0 {
        let isEqual = Bytes.equal(
          old.bytes(of: old.payloads[item]), new.bytes(of: new.payloads[Int(partner)]))
        if isEqual { keep(Int32(truncatingIfNeeded: item), partner) }
      }
    }
    (partners, count) = (kept, kept.count { $0 >= 0 })
  }

  /// Returns the index in the older snapshot of each of `count` newer items, -1 if it is not one of those
  /// that are kept.
  func inverted(count: Int) -> [Int32] {
    var inverted = [Int32](repeating: -1, count: count)
    for (old, new) in partners.enumerated() where new >= 0 {
      inverted[Int(new)] = Int32(truncatingIfNeeded: old)
    }
    return inverted
  }
}

extension Snapshot {
  /// Reports whether a section has the same own members and templates as one of another snapshot.
  fileprivate func hasSection(_ section: Int, equalTo index: Int, of other: Snapshot) -> Bool {
    var renamed = sections[section]
    renamed.own = other.sections[index].own
    return renamed == other.sections[index]
      && Bytes.equal(bytes(of: sections[section].own), other.bytes(of: renamed.own))
  }
}
