import ListAdapters
import ListDiff
import ListSources
import Testing

private struct Setting: Identifiable, Equatable, Sendable {
  var id: String
}

private struct Message: Identifiable, Equatable, Sendable {
  var id: Int
  var text: String
}

private struct Likes: Identifiable, Equatable, Sendable {
  var id = "likes"
  var count: Int
}

private struct Story: Widget {
  var id: Int
  var title: String
  var likes: Int

  var parts: [AnyItem] { [AnyItem(Message(id: 0, text: title)), AnyItem(Likes(count: likes))] }
}

/// The screens of the documentation, in a terminal.
@MainActor @Suite struct ScreenTests {
  private let screen = TerminalScreen(height: 12)

  private func terminal() -> TerminalList {
    TerminalList(height: 12, width: 40, write: screen.write)
  }

  private var lines: [String] { screen.lines.filter { !$0.isEmpty } }

  /// Radio buttons in one section, check boxes in another.
  @Test func settings() throws {
    let settings = ListSource(sections: [
      HeadedSection(
        id: "theme", header: "Theme", items: [Setting(id: "Light"), Setting(id: "Dark")]),
      HeadedSection(
        id: "alerts", header: "Alerts", items: [Setting(id: "Mail"), Setting(id: "News")]),
    ])
    try settings.setSelectionMode(.single(allowsEmpty: false), ofSection: "theme")
    try settings.select(["Light", "News"])
    let list = ListPresenter(settings, in: terminal())
      .row(Setting.self) { ($1.isSelected ? "[x] " : "[ ] ") + $0.id }
      .header { $0.header }

    list.update()
    #expect(lines == ["Theme", "[x] Light", "[ ] Dark", "Alerts", "[ ] Mail", "[x] News"])
    list.choose([ListPath(section: 0, row: 1)], .toggle)
    list.choose([ListPath(section: 0, row: 1)], .toggle)
    list.choose([ListPath(section: 1, row: 0)], .toggle)
    #expect(lines == ["Theme", "[ ] Light", "[x] Dark", "Alerts", "[x] Mail", "[x] News"])
  }

  /// Stories in rows of several types, so that a new number of likes updates one row.
  @Test func feed() {
    func rows(_ stories: [Story]) -> [HeadedSection<Int, String, WidgetRow<Int, AnyItem>>] {
      [HeadedSection(id: 0, items: stories.widgetRows)]
    }
    let feed = ListSource(sections: rows([Story(id: 1, title: "Sun", likes: 0)]))
    let list = ListPresenter(feed, in: terminal())
      .row(Message.self) { $0.text }
      .row(Likes.self) { "  \($0.count) likes" }

    list.update()
    #expect(lines == ["Sun", "  0 likes"])
    let changes = feed.apply(
      rows([Story(id: 2, title: "Rain", likes: 0), Story(id: 1, title: "Sun", likes: 2)]))
    #expect(changes.rowCounts == Changes.Counts(inserts: 2, updates: 1))
    list.update()
    #expect(lines == ["Rain", "  0 likes", "Sun", "  2 likes"])
  }

  /// Lists of different models, one below the other.
  @Test func home() throws {
    let contacts = ListSource(sections: [
      HeadedSection(id: "contacts", header: "Contacts", items: [Person(id: 1, name: "Ann")])
    ])
    let messages = ListSource<HeadedSection<String, String, Message>>()
    let home = Composed {
      contacts
      messages
    }
    let list = ListPresenter(home, in: terminal())
      .row(Person.self) { $0.name }
      .row(Message.self) { "> " + $0.text }
      .header { $0.header }

    messages.apply([
      HeadedSection(id: "messages", header: "Messages", items: [Message(id: 1, text: "Hello")])
    ])
    try contacts.appendItems([Person(id: 2, name: "Ben")])
    list.update()
    #expect(lines == ["Contacts", "Ann", "Ben", "Messages", "> Hello"])
  }

  @Test func itemsOfSeveralTypes() {
    let (one, other) = (AnyItem(Message(id: 1, text: "a")), AnyItem(Message(id: 1, text: "b")))
    let person = AnyItem(Person(id: 1, name: "a"))
    #expect(one == AnyItem(Message(id: 1, text: "a")) && one != other && one.id == other.id)
    #expect(one.id != person.id && one != person && Set([one.id, other.id, person.id]).count == 2)
    #expect(one.base as? Message == Message(id: 1, text: "a"))
  }
}
