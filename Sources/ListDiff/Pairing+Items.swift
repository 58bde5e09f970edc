extension Pairing {
  /// Pairs the items of two lists without sections.
  @inlinable
  mutating func pairOnlySection<Item, ID: Hashable>(
    _ old: [Item], _ new: [Item], _ id: (Item) -> ID
  ) {
    pairOnlySection()
    pairItems([old], [new], id)
  }

  /// Pairs sections by id, of those that repeat the first with the first and so on.
  @inlinable
  mutating func pairSections<ID: Hashable>(_ old: [ID], _ new: [ID]) {
    sectionsToNew = Array(repeating: -1, count: old.count)
    sectionsToOld = Array(repeating: -1, count: new.count)
    var places: [ID: [Int]] = [:]
    places.reserveCapacity(old.count)
    for (index, id) in old.enumerated().reversed() { places[id, default: []].append(index) }
    for (index, id) in new.enumerated() {
      guard let place = places[id]?.popLast() else { continue }
      sectionsToNew[place] = Int32(truncatingIfNeeded: index)
      sectionsToOld[index] = Int32(truncatingIfNeeded: place)
    }
  }

  /// Pairs items by id: neighbours by comparison, the rest by hashing.
  @inlinable
  mutating func pairItems<Item, ID: Hashable>(
    _ old: [[Item]], _ new: [[Item]], _ id: (Item) -> ID
  ) {
    reserve(old: old.map(\.count), new: new.map(\.count))
    for section in old.indices where sectionsToNew[section] < 0 {
      for row in oldStarts[section]..<oldStarts[section + 1] { oldRest.append(row) }
    }
    for section in new.indices {
      let partner = Int(sectionsToOld[section])
      if partner < 0 {
        for row in newStarts[section]..<newStarts[section + 1] { newRest.append(row) }
      } else {
        align(
          old[partner], from: Int(oldStarts[partner]), new[section],
          from: Int(newStarts[section]), id)
      }
    }
    guard !oldRest.isEmpty, !newRest.isEmpty else { return }
    if !pairRest(old, new, id) { pairAll(old, new, id) }
  }

  /// Pairs the items of a section that are the same at both ends, then those that a few steps to
  /// either side explain, as long as that succeeds now and then.
  @inlinable
  mutating func align<Item, ID: Hashable>(
    _ old: [Item], from oldStart: Int, _ new: [Item], from newStart: Int, _ id: (Item) -> ID
  ) {
    var oldEnd = old.count
    var newEnd = new.count
    var i = 0
    var j = 0
    while i < oldEnd, j < newEnd, id(old[i]) == id(new[j]) {
      pair(oldStart + i, newStart + j)
      i += 1
      j += 1
    }
    while i < oldEnd, j < newEnd, id(old[oldEnd - 1]) == id(new[newEnd - 1]) {
      oldEnd -= 1
      newEnd -= 1
      pair(oldStart + oldEnd, newStart + newEnd)
    }
    var patience = 64
    while i < oldEnd, j < newEnd, patience > 0 {
      if id(old[i]) == id(new[j]) {
        pair(oldStart + i, newStart + j)
        i += 1
        j += 1
        patience = min(patience + 1, 64)
        continue
      }
      var skip = (old: 1, new: 1)
      for reach in 1...3 {
        if i + reach < oldEnd, id(old[i + reach]) == id(new[j]) {
          skip = (reach, 0)
          break
        }
        if j + reach < newEnd, id(old[i]) == id(new[j + reach]) {
          skip = (0, reach)
          break
        }
      }
      patience -= skip == (1, 1) ? 8 : 2
      for _ in 0..<skip.old {
        oldRest.append(Int32(truncatingIfNeeded: oldStart + i))
        i += 1
      }
      for _ in 0..<skip.new {
        newRest.append(Int32(truncatingIfNeeded: newStart + j))
        j += 1
      }
    }
    while i < oldEnd {
      oldRest.append(Int32(truncatingIfNeeded: oldStart + i))
      i += 1
    }
    while j < newEnd {
      newRest.append(Int32(truncatingIfNeeded: newStart + j))
      j += 1
    }
  }

  @inlinable @inline(__always)
  mutating func pair(_ old: Int, _ new: Int) {
    rowsToNew[old] = Int32(truncatingIfNeeded: new)
    rowsToOld[new] = Int32(truncatingIfNeeded: old)
  }

  /// Pairs the rest by hashing; false where an id repeats in it.
  @inlinable
  mutating func pairRest<Item, ID: Hashable>(
    _ old: [[Item]], _ new: [[Item]], _ id: (Item) -> ID
  ) -> Bool {
    var table = PlaceTable(capacity: oldRest.count)
    var places = SectionCursor(oldStarts)
    for (index, row) in oldRest.enumerated() {
      let (section, item) = places.place(of: row)
      let key = id(old[section][item])
      let isNew = table.insert(hash: key.hashValue, index) { other in
        let (section, item) = SectionCursor.find(oldRest[other], oldStarts)
        return id(old[section][item]) == key
      }
      if !isNew { return false }
    }
    var newPlaces = SectionCursor(newStarts)
    var next = 0
    for row in newRest {
      let (section, item) = newPlaces.place(of: row)
      let key = id(new[section][item])
      var found = -1
      // What follows in the old list often follows in the new one.
      if next < oldRest.count, rowsToNew[Int(oldRest[next])] < 0 {
        let (section, item) = SectionCursor.find(oldRest[next], oldStarts)
        if id(old[section][item]) == key { found = next }
      }
      if found < 0 {
        found = table.find(hash: key.hashValue) { other in
          let (section, item) = SectionCursor.find(oldRest[other], oldStarts)
          return id(old[section][item]) == key
        }
      }
      guard found >= 0 else { continue }
      if rowsToNew[Int(oldRest[found])] >= 0 { return false }
      pair(Int(oldRest[found]), Int(row))
      next = found + 1
    }
    return true
  }

  /// Gives each id a key and pairs all items anew.
  @inlinable
  mutating func pairAll<Item, ID: Hashable>(
    _ old: [[Item]], _ new: [[Item]], _ id: (Item) -> ID
  ) {
    var keys: [ID: UInt32] = [:]
    keys.reserveCapacity(rowsToNew.count)
    func keyed(_ lists: [[Item]], _ count: Int) -> [UInt32] {
      var result: [UInt32] = []
      result.reserveCapacity(count)
      for list in lists {
        for item in list {
          let next = UInt32(truncatingIfNeeded: keys.count)
          result.append(
            { (key: inout UInt32?) in
              if key == nil { key = next }
              return key ?? next
            }(&keys[id(item)]))
        }
      }
      return result
    }
    let oldKeys = keyed(old, rowsToNew.count)
    let newKeys = keyed(new, rowsToOld.count)
    pairRepeats(oldKeys, newKeys, keys: keys.count)
  }

  /// Finds the sections that are kept and differ.
  @inlinable
  mutating func compareSections(_ isSame: (Int, Int) -> Bool) {
    for (new, old) in sectionsToOld.enumerated() where old >= 0 {
      if !isSame(Int(old), new) { changedSections.append(Int32(truncatingIfNeeded: new)) }
    }
  }

  /// Finds the items that are kept and differ.
  @inlinable
  mutating func compare<Item>(
    _ old: [[Item]], _ new: [[Item]], _ isSame: (Item, Item) -> Bool
  ) {
    for section in new.indices {
      let start = Int(newStarts[section])
      let items = new[section]
      var places = SectionCursor(oldStarts)
      for item in items.indices {
        let row = rowsToOld[start + item]
        if row < 0 { continue }
        let (oldSection, oldItem) = places.place(of: row)
        if !isSame(old[oldSection][oldItem], items[item]) {
          changedRows.append(Int32(truncatingIfNeeded: start + item))
        }
      }
    }
  }
}
