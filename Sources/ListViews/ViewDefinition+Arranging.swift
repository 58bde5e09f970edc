import JSONBytes
import ListState

extension ViewDefinition {
  /// The items that the view has, in its order and in its sections.
  ///
  /// - Complexity: O(*b* + *k* log *k*), where *b* is the number of bytes of all items and *k* that of
  ///   items that the view has; O(*b*) if it does not sort them.
  package func arrange(_ items: ViewItems, isStopped: () -> Bool) -> ViewArrangement? {
    let source = items.snapshot
    var arrangement = ViewArrangement()
    arrangement.selectionMode = selectionMode ?? .single
    arrangement.allowsEmptySelection =
      allowsEmptySelection ?? (arrangement.selectionMode != .single)
    var sorting = Sorting()
    guard let order = select(items, &sorting, isStopped: isStopped) else { return nil }
    arrangement.order = order
    switch sections {
    case .keep:
      arrangement.keepSections(of: source)
      for section in arrangement.sections.indices where !sort.isEmpty {
        if isStopped() { return nil }
        let range = Int(arrangement.starts[section])..<Int(arrangement.starts[section + 1])
        sorting.sort(&arrangement.order, range)
      }
    case .merge:
      sorting.sort(&arrangement.order, arrangement.order.indices)
      arrangement.mergeSections(
        isHidden: hidesEmptySections && order.isEmpty, members: mergedMembers)
    case .by(let member):
      sorting.sort(&arrangement.order, arrangement.order.indices)
      var groups = Groups(members, member)
      guard groups.divide(&arrangement, source, ownMembers: ownMembers, isStopped: isStopped) else {
        return nil
      }
    }
    return isStopped() ? nil : arrangement
  }

  /// The items that satisfy the condition, and of these the first of each distinct value, in the order of
  /// the sources, with what they are sorted by.
  private func select(
    _ items: ViewItems, _ sorting: inout Sorting, isStopped: () -> Bool
  ) -> [Int32]? {
    let source = items.snapshot
    if condition == nil, distinct == nil, sort.isEmpty {
      return Array(0..<Int32(truncatingIfNeeded: source.itemCount))
    }
    var values = MemberValues(members)
    var scratch = ValueScratch()
    var known = IDTable()
    var order: [Int32] = []
    var sourceIndex = 0
    let texts = ItemTexts(source)
    for item in 0..<source.itemCount {
      if item & 0xFFF == 0xFFF, isStopped() { return nil }
      while sourceIndex + 1 < items.sourceStarts.count,
        items.sourceStarts[sourceIndex + 1] <= item
      {
        sourceIndex += 1
      }
      values.read(texts[item])
      if let condition, !condition.isSatisfied(by: values, &scratch) { continue }
      if let distinct, let value = values[distinct], value[0] != 0x6E {
        let count = known.count
        scratch.encoder.withIdentifier(value) { _ = known.intern($0, $1) }
        if known.count == count { continue }
      }
      order.append(Int32(truncatingIfNeeded: item))
      if sort.isEmpty { continue }
      scratch.key.removeAll()
      appendSortKey(of: values, source: sourceIndex, &scratch)
      sorting.append(scratch.key)
    }
    return order
  }

  /// Makes the scratch key bytes that compare as the view sorts items, but for the order of the sources.
  func appendSortKey(
    of values: borrowing MemberValues, source: Int, _ scratch: inout ValueScratch
  ) {
    for key in sort {
      let start = scratch.key.count
      switch key.subject {
      case .member(let member):
        scratch.encoder.append(
          sortable: values[member], isNatural: key.isNatural, to: &scratch.key)
      case .source: scratch.key.append(bigEndian: UInt64(source))
      }
      if key.isDescending { scratch.key.complement(from: start) }
    }
  }

  /// The own members of the sections of the view itself, each with a comma before it.
  private var ownMembers: [UInt8] {
    var members = ByteBuffer()
    if let selectionMode {
      members.append(",\"selectionMode\":")
      members.append(string: "\(selectionMode)")
    }
    if let allowsEmptySelection {
      members.append(",\"allowsEmptySelection\":")
      if allowsEmptySelection { members.append("true") } else { members.append("false") }
    }
    return members.withUnsafeBytes { Array($0) }
  }

  private var mergedMembers: [UInt8] { Array("{\"id\":\"main\"".utf8) + ownMembers + [0x7D] }
}

extension ViewArrangement {
  /// Divides items that are in the order of the sources into the sections of these.
  fileprivate mutating func keepSections(of source: Snapshot) {
    starts = [0]
    var index = 0
    for section in source.sections.indices {
      let end = source.arrangement.starts[section + 1]
      while index < order.count, order[index] < end { index += 1 }
      starts.append(Int32(truncatingIfNeeded: index))
      sections.append(.source(section))
    }
  }

  /// Puts all items into one section with some members.
  fileprivate mutating func mergeSections(isHidden: Bool, members: [UInt8]) {
    guard !isHidden else { return }
    texts = Array("main".utf8) + members
    starts = [0, Int32(truncatingIfNeeded: order.count)]
    sections = [.own(.string, id: 0..<4, members: 4..<texts.count)]
  }
}

/// The texts of a snapshot's items, without counting who uses their buffers each time.
struct ItemTexts {
  private let payloads: [Payload]
  private let buffers: [UnsafeRawBufferPointer]
  private let owner: Snapshot

  init(_ snapshot: Snapshot) {
    payloads = snapshot.payloads
    buffers = snapshot.buffers.map(\.bytes)
    owner = snapshot
  }

  /// The bytes of an item, valid as long as these texts live.
  subscript(item: Int) -> UnsafeRawBufferPointer {
    let payload = payloads[item]
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(
      rebasing: buffers[Int(payload.buffer)][start..<start + Int(payload.length)])
  }
}
