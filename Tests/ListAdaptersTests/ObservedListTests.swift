import ListAdapters
import ListDiff
import ListSources
import Observation
import Testing

/// What a view of SwiftUI reads, and when it is evaluated again.
@MainActor @Suite struct ObservedListTests {
  private final class Count: @unchecked Sendable { var value = 0 }

  /// Returns a counter of the times that something that was read has changed.
  private func track(_ read: @escaping () -> Void) -> Count {
    let count = Count()
    withObservationTracking(read) { count.value += 1 }
    return count
  }

  private func ids<Data: RandomAccessCollection>(_ data: Data) -> [String]
  where Data.Element == Group {
    data.map { $0.id } + data.reversed().flatMap { $0.items.map { $0.text } }
  }

  @Test func readersAreNotified() async throws {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
    let source = ListSource(sections: [Group(id: "a", items: [Row(id: 1, text: "one")])])
    let list = ObservedList(source)
    let count = track { _ = ids(list) }
    try source.appendItems([Row(id: 2, text: "two")])
    try source.appendSections([Group(id: "b")])
    #expect(count.value == 0 && ids(list) == ["a", "one"], "nothing changes in this turn")
    try await wait { count.value > 0 }
    #expect(count.value == 1 && ids(list) == ["a", "b", "one", "two"])
    #expect(list.sections == source.sections && list.count == 2)
  }

  @Test func theSelectionIsBound() throws {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
    let rows = [Row(id: 1), Row(id: 2)]
    let source = ListSource(sections: [Group(id: "a", items: rows)])
    try source.setSelectionMode(.single, ofSection: "a")
    let list = ObservedList(source)
    let count = track { _ = list.selection }
    list.selection = [2]
    #expect(count.value == 1 && source.selected == [2] && list.selection == [2])
    let again = track { _ = list.selection }
    list.selection = [2, 9]
    #expect(again.value == 1 && list.selection == [2], "an unknown item is not selected")
    list.selection = []
    #expect(source.selected == [])
    list.presenter.undoLimit = 1
    try source.deleteItems([1])
    #expect(list.presenter.undo() && list.sections[0].items == rows)
  }

  @Test func theListIsReleased() throws {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
    let source = ListSource(sections: [Group(id: "a")])
    var list: ObservedList? = ObservedList(source)
    let isReleased = { [weak list] in list == nil }
    #expect(list?.count == 1)
    list = nil
    #expect(isReleased())
  }
}
