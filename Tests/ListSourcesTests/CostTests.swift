import ListDiff
import ListSources
import Synchronization
import Testing

/// An edit of a large list costs hardly more than one of a small list.
///
/// Promise: An edit of a Swift snapshot or source costs hardly more in a long list than in a short
///   one.
@MainActor @Suite(.serialized) struct CostTests {
  /// An id that counts how often ids are hashed and compared.
  struct CountedID: Hashable {
    static let count = Atomic(0)
    let number: Int

    static func == (a: CountedID, b: CountedID) -> Bool {
      count.add(1, ordering: .relaxed)
      return a.number == b.number
    }

    func hash(into hasher: inout Hasher) {
      Self.count.add(1, ordering: .relaxed)
      hasher.combine(number)
    }
  }

  /// An item that counts how often items are compared.
  struct CountedRow: Identifiable, Equatable {
    let id: CountedID
    var text = ""

    static func == (a: CountedRow, b: CountedRow) -> Bool {
      CountedID.count.add(1, ordering: .relaxed)
      return a.id.number == b.id.number && a.text == b.text
    }
  }

  /// Returns the number of hashes and comparisons that `body` takes.
  private func cost(_ body: () throws -> Void) rethrows -> Int {
    let before = CountedID.count.load(ordering: .relaxed)
    try body()
    return CountedID.count.load(ordering: .relaxed) - before
  }

  private func rows(_ numbers: Range<Int>) -> [CountedRow] {
    numbers.map { CountedRow(id: CountedID(number: $0)) }
  }

  /// Returns the costs of 100 edits of each kind of a source with `count` items.
  private func costsOfSource(_ count: Int) throws -> KeyValuePairs<String, Int> {
    let source = ListSource(sections: [Changes.Section(id: 1, items: rows(0..<count))])
    func id(_ index: Int) -> CountedID { CountedID(number: index * 7919 % count) }
    return try [
      "moves": cost {
        for index in 0..<100 { try source.moveItem(id(index), beforeItem: id(index + 150)) }
      },
      "inserts": cost {
        for index in 0..<100 {
          try source.insertItems(rows(count + index..<count + index + 1), afterItem: id(index))
        }
      },
      "updates": cost {
        for index in 0..<100 { try source.updateItems([CountedRow(id: id(index), text: "new")]) }
      },
      "selections": cost { for index in 0..<100 { try source.select([id(index)], .toggle) } },
      "deletes": cost { for index in 100..<200 { try source.deleteItems([id(index)]) } },
      "look-ups": cost {
        for index in 200..<300 { _ = source.path(of: id(index)).map(source.item(at:)) }
      },
    ]
  }

  /// Returns the costs of 100 edits of each kind of copies of a list with `count` items, of comparing each with
  /// the list before, and of giving them to a source that a view follows.
  private func costsOfValues(_ count: Int) throws -> KeyValuePairs<String, Int> {
    let source = ListSource(sections: [Changes.Section(id: 1, items: rows(0..<count))])
    let view = source.filtered { $0.text.isEmpty }
    var list = source.value
    #expect(view.itemCount == count)
    func id(_ index: Int) -> CountedID { CountedID(number: index * 7919 % count) }
    func measure(_ edit: (Int) throws -> Void) rethrows -> Int {
      try cost {
        for index in 0..<100 {
          let before = list
          try edit(index)
          #expect(!list.changes(from: before).isEmpty)
          source.apply(list)
          _ = view.itemCount
        }
      }
    }
    return try [
      "moves": measure { try list.moveItem(id($0), beforeItem: id($0 + 150)) },
      "inserts": measure {
        try list.insertItems(rows(count + $0..<count + $0 + 1), afterItem: id($0))
      },
      "updates": measure { try list.updateItems([CountedRow(id: id($0), text: "new")]) },
      "deletes": measure { try list.deleteItems([id($0 + 100)]) },
    ]
  }

  /// Returns the costs of 100 edits of each kind of a snapshot with `count` items, and of comparing it with copies.
  private func costsOfSnapshot(_ count: Int) throws -> KeyValuePairs<String, Int> {
    var snapshot = ListSnapshot<Int, CountedID>()
    try snapshot.appendSections([1])
    try snapshot.appendItems(rows(0..<count).map(\.id))
    func id(_ index: Int) -> CountedID { CountedID(number: index * 7919 % count) }
    return try [
      "moves": cost {
        for index in 0..<100 { try snapshot.moveItem(id(index), beforeItem: id(index + 150)) }
      },
      "inserts": cost {
        for index in 0..<100 {
          try snapshot.insertItems([CountedID(number: count + index)], afterItem: id(index))
        }
      },
      "deletes": cost { for index in 100..<200 { try snapshot.deleteItems([id(index)]) } },
      "look-ups": cost { for index in 200..<300 { _ = snapshot.indexOfItem(id(index)) } },
      "changes": cost {
        for index in 200..<300 {
          let before = snapshot
          try snapshot.moveItem(id(index), beforeItem: id(index + 150))
          try snapshot.reloadItems([id(index + 1)])
          #expect(snapshot.changes(from: before).rowCounts.updates == 1)
        }
      },
    ]
  }

  @Test func editsOfLargeListsCostTheSame() throws {
    for costs in [costsOfSource, costsOfValues, costsOfSnapshot] {
      for (small, large) in try zip(costs(1_000), costs(100_000)) {
        #expect(
          small.value > 0 && large.value <= small.value * 2,
          "\(small.key) cost \(small.value) and \(large.value)")
      }
    }
  }
}
