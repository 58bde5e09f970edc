import ListAdapters
import ListDiff
import ListSources
import Testing

struct ProcessRow: Identifiable, Equatable {
  var id: Int
  var name: String
}

struct Person: Identifiable, Equatable, Sendable {
  var id: Int
  var name: String
}

/// The examples of the documentation.
@MainActor @Suite struct ExampleTests {
  @Test func presenting() {
    var (output, called) = ("", "")
    let people = ListSource(sections: [
      HeadedSection(id: "a", header: "A", items: [Person(id: 1, name: "Ann")])
    ])
    let screen = ListPresenter(people, in: TerminalList(height: 24, width: 80) { output += $0 })
      .row(Person.self) { $0.name }
      .header { $0.header }
      .didSelect(Person.self) { called = $0.name }
    screen.update()
    screen.display.moveCursor(by: 1)
    #expect(output.contains("A") && output.contains("Ann") && called == "Ann")
  }

  @Test func terminals() {
    var output = ""
    let running = Changes.Section(id: 0, items: [ProcessRow(id: 7, name: "listd")])
    let processes = ListSource(sections: [running])
    let list = ListPresenter(processes, in: TerminalList(height: 24, width: 80) { output += $0 })
      .row(ProcessRow.self) { "\($0.id) \($0.name)" }
    list.update()
    #expect(output == "\u{1B}[H\u{1B}[J\u{1B}[1;1H\u{1B}[K7 listd")
  }

  @Test func observedLists() {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
    let source = ListSource(sections: [Group(id: "a")])
    let people = ObservedList(source)
    #expect(people.count == 1)
  }

  @Test func itemsOfAnyType() {
    let story = Person(id: 1, name: "Ann")
    let row = AnyItem(story)
    #expect(row == AnyItem(story))
  }

  @Test func itemsWithoutARow() {
    var (output, warnings) = ("", [String]())
    let source = ListSource(sections: [
      Changes.Section(id: 0, items: [Person(id: 1, name: "Ann"), Person(id: 2, name: "Ben")])
    ])
    let list = ListPresenter(source, in: TerminalList(height: 24, width: 80) { output += $0 })
      .row(ProcessRow.self) { $0.name }
    list.whenWarned = { warnings.append($0) }
    list.update()
    #expect(output.contains("Ann") && warnings == ["no row is registered for Person"])
  }
}
