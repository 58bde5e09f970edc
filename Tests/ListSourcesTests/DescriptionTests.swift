import Foundation
import ListDiff
import Testing

@testable import ListSources

/// What is expanded in outlines, how sources are printed, and widgets of several types.
@MainActor @Suite struct DescriptionTests {
  private typealias Group = HeadedSection<String, String, Setting>

  private struct Setting: Identifiable, Codable, Hashable {
    var id: Int
    var text = ""
  }

  private func group(_ id: String, _ items: Int...) -> Group {
    Group(id: id, header: id, items: items.map { Setting(id: $0) })
  }

  @Test func foldsAreRestored() throws {
    let source = ListSource(sections: [group("a", 1, 2)])
    let outline = source.outline { $0.id == 2 ? 1 : nil }
    outline.expand(1)
    let data = try JSONEncoder().encode(outline.expansion)
    outline.collapse(1)
    outline.expansion = try JSONDecoder().decode(Expansion<Int>.self, from: data)
    #expect(outline.itemCount == 2)
  }

  @Test func descriptions() throws {
    let source = ListSource(sections: [group("a", 1, 2), group("b")])
    try source.select([2])
    #expect("\(source)" == "ListSource(sections: 2, items: 2, selected: 1)")
    #expect(
      "\(source.filtered { $0.id < 2 })" == "FilteredSource(sections: 2, items: 1, selected: 0)")
    #expect("\(Composed { source })" == "Composed(sections: 2, items: 2, selected: 1)")
    var snapshot = ListSnapshot<String, Int>()
    try snapshot.appendSections(["a", "b"])
    try snapshot.appendItems([1, 2], toSection: "a")
    #expect("\(snapshot)" == "a: [1, 2], b: []")
    typealias Failure = ListSource<Group>.Failure
    let errors: [Failure] = [
      .noItem(1), .noSection("a"), .duplicateItem(1), .duplicateSection("a"), .noSections,
    ]
    #expect(
      errors.map { "\($0)" } == [
        "there is no item 1", "there is no section a", "there is already an item 1",
        "there is already a section a", "there are no sections",
      ])
    #expect("\(MissingItem(item: 1))" == "there is no item 1")
    #expect("\(AnyItem(StoryPart(id: "a", text: "b")))".contains("StoryPart"))
  }

  /// Widgets of different types in one feed.
  @Test func widgetsOfAnyType() throws {
    struct Choice: Widget {
      var id: Int
      var parts: [Row] { [Row(id: 1, text: "yes"), Row(id: 2, text: "no")] }
    }
    struct Mixed: Widget {
      var id: Int
      var parts: [AnyItem] { [AnyItem(Row(id: 7))] }
    }
    let story = Story(id: 1, parts: [StoryPart(id: "title", text: "One")])
    let widgets: [any Widget] = [story, Choice(id: 1), Mixed(id: 1)]
    let rows = widgets.widgetRows
    #expect(Set(rows.map(\.id)).count == 4, "the types of widgets and parts distinguish them")
    #expect(rows.map { $0.part.base as? Row }.compactMap { $0?.id } == [1, 2, 7])
    #expect(rows.first?.part.base as? StoryPart == story.parts[0])
  }
}
