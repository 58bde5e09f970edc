import ByteBuffers
import ListDiff

/// Texts of items that were moved to another buffer.
struct MovedTexts {
  /// The keys of the items, and their texts in the buffer.
  var items: [(key: UInt32, text: Payload)] = []

  var buffer: SharedBytes
}

extension ListTree {
  /// Moves some texts out of buffers most of whose bytes are not texts of the list, if most of all
  /// bytes are not. Returns what was moved; `nil` if there was nothing to move. The tree must not be
  /// in a change.
  ///
  /// Each call visits as many leaves as are needed to visit all of them before the buffers have grown
  /// by the size of the texts, so that the memory of a list is limited without a call that takes long.
  ///
  /// - Complexity: O(*k* + *t*), where *k* is the number of items of the visited leaves and *t* the
  ///   size of their texts; at most 1 MiB and one text are moved.
  mutating func moveTexts() -> MovedTexts? {
    let added = texts.takeAddedSize()
    guard texts.isWasteful else { return nil }
    var bytes: [UInt8] = []
    func copy(_ payload: Payload) -> Payload {
      defer { bytes.append(contentsOf: self.bytes(of: payload)) }
      return Payload(start: bytes.count, length: Int(payload.length), buffer: 0)
    }
    var items: [(location: Location, text: Payload)] = []
    var own: [(section: Int, text: Payload)] = []
    let growth = texts.textSize + Snapshot.smallWaste
    for _ in 0...leaves.count * added / growth where bytes.count < Snapshot.smallWaste {
      if nextMoved >= max(leaves.count, sections.count) { nextMoved = 0 }
      if nextMoved < sections.count, order.contains(nextMoved) {
        let text = sections[nextMoved].traits.own
        if texts.isSparse(text.buffer) { own.append((nextMoved, copy(text))) }
      }
      if hasTexts, nextMoved < leaves.count, forest.contains(nextMoved) {
        let leaf = leaves[nextMoved]
        for index in 0..<leaf.count where bytes.count < Snapshot.smallWaste {
          let text = leaf.payload(at: index)
          guard text != .empty, texts.isSparse(text.buffer) else { continue }
          items.append((Location(leaf: nextMoved, index: index), copy(text)))
        }
      }
      // A leaf that is not finished is visited again.
      if bytes.count < Snapshot.smallWaste { nextMoved += 1 }
    }
    if items.isEmpty, own.isEmpty { return nil }
    whole = nil
    var moved = MovedTexts(buffer: SharedBytes(copying: bytes))
    let buffer = texts.number(of: moved.buffer)
    for (section, var text) in own {
      text.buffer = buffer
      texts.remove(sections[section].traits.own)
      texts.add(text)
      sections[section].traits.own = text
    }
    moved.items.reserveCapacity(items.count)
    for (location, text) in items {
      moved.items.append((leaves[location.leaf].key(at: location.index), text))
      setText(text, in: buffer, at: location)
    }
    texts.releaseUnused()
    return moved
  }

  /// Takes over texts that were moved. Items with another text are left as they are.
  ///
  /// - Complexity: O(*k* + *t*), where *k* is the number of the texts and *t* their size.
  mutating func takeTexts(_ moved: MovedTexts) {
    guard hasTexts else { return }
    var buffer: UInt32?
    whole = nil
    for (key, text) in moved.items {
      guard let location = location(of: key) else { continue }
      let present = bytes(of: leaves[location.leaf].payload(at: location.index))
      let start = Int(text.start)
      let new = UnsafeRawBufferPointer(
        rebasing: moved.buffer.bytes[start..<start + Int(text.length)])
      guard Bytes.equal(present, new) else { continue }
      buffer = buffer ?? texts.number(of: moved.buffer)
      setText(text, in: buffer!, at: location)
    }
    texts.releaseUnused()
  }

  private mutating func setText(_ text: Payload, in buffer: UInt32, at location: Location) {
    var record = record(at: location)
    texts.remove(record.payload)
    record.payload = text
    record.payload.buffer = buffer
    texts.add(record.payload)
    leaves[location.leaf].replace(location.index, with: record)
  }
}

extension ListStore {
  /// Moves texts of a list out of buffers that are mostly unused, also for the
  /// composites that show them.
  ///
  /// - Complexity: As of ``ListTree/moveTexts()``, for each composite.
  mutating func moveTexts(of name: [UInt8]) {
    guard let index = lists.index(of: name),
      // The texts of composites are those of their sources, except those of an outline's rows.
      lists[at: index].sources == nil || lists[at: index].isOutline,
      let texts = lists[at: index].tree?.moveTexts(), lists[at: index].sources == nil
    else { return }
    var moved = [name: texts]
    for composite in dependents(of: name) {
      guard let index = lists.index(of: composite), lists[at: index].tree != nil else {
        continue
      }
      var own = MovedTexts(buffer: texts.buffer)
      for source in lists[at: index].sources! {
        guard let moved = moved[source] else { continue }
        let nameKey = source.withUnsafeBytes { ids.find(.string, $0) }
        let keepsKeys = source == lists[at: index].keySource
        for (key, text) in moved.items {
          if let key = ids.findSourced(key, from: nameKey, keepsKeys: keepsKeys) {
            own.items.append((key, text))
          }
        }
      }
      if own.items.isEmpty { continue }
      if let live = lists[at: index].live, !live.exchangedKeys.isEmpty {
        for item in own.items.indices {
          own.items[item].key = live.exchangedKeys.viewKey(of: own.items[item].key)
        }
      }
      lists[at: index].live?.sources.takeTexts(own)
      lists[at: index].tree?.takeTexts(own)
      moved[composite] = own
    }
  }
}
