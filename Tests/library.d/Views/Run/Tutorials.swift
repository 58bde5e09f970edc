import ListAdapters
import ListDiff
import ListSources
import UIKit

struct Setting: Identifiable, Equatable, Sendable {
  var id: String
}

struct Person: Identifiable, Equatable, Sendable {
  var id: Int
  var name: String
}

struct Message: Identifiable, Equatable, Sendable {
  var id: Int
  var text: String
}

struct Picture: Identifiable, Equatable, Sendable {
  var id: String
  var height: CGFloat
}

struct Likes: Identifiable, Equatable, Sendable {
  var id = "likes"
  var count: Int
}

final class NameCell: UITableViewCell {
  let name = UILabel()
  var call: () -> Void = {}
}

final class PictureCell: UITableViewCell {
  let picture = UILabel()
}

final class NameView: UITableViewHeaderFooterView {
  let name = UILabel()
}

/// The screens of the documentation, in table views.
@MainActor final class Tutorials {
  private var log: [String] = []
  private let tableView = UITableView()

  static func run() throws {
    try Tutorials().settings()
    Tutorials().contacts()
    Tutorials().feed()
    try Tutorials().home()
  }

  private init() { tableView.window = UIWindow() }

  private func tap(_ section: Int, _ row: Int) {
    tableView.tap(IndexPath(row: row, section: section))
  }

  private func open(_ person: Person) { log.append("open \(person.name)") }
  private func call(_ person: Person) { log.append("call \(person.name)") }

  /// The names of the cells that are shown, selected ones with a star.
  private var shown: [[String]] {
    (0..<tableView.numberOfSections).map { section in
      (0..<tableView.numberOfRows(inSection: section)).map { row in
        let path = IndexPath(row: row, section: section)
        let cell = tableView.cellForRow(at: path)
        let name = (cell as? NameCell)?.name.text ?? (cell as? PictureCell)?.picture.text ?? "none"
        let isSelected = tableView.indexPathsForSelectedRows?.contains(path) ?? false
        return name + (isSelected ? "*" : "")
      }
    }
  }

  private func expect<Value: Equatable>(_ value: Value, _ expected: Value) {
    Run.place = "the screens of the documentation"
    if value != expected { fail("\(value), not \(expected)") }
    if !Exceptions.raised.isEmpty { fail("\(Exceptions.raised)") }
  }

  private func settings() throws {
    let settings = ListSource(sections: [
      HeadedSection(
        id: "theme", header: "Theme", items: [Setting(id: "Light"), Setting(id: "Dark")]),
      HeadedSection(
        id: "alerts", header: "Alerts", items: [Setting(id: "Mail"), Setting(id: "News")]),
    ])
    try settings.setSelectionMode(.single(allowsEmpty: false), ofSection: "theme")
    try settings.select(["Light", "News"])
    tableView.allowsMultipleSelection = true
    let screen = ListPresenter(settings, in: tableView)
      .row(Setting.self, NameCell.self) { $0.name.text = $1.id }
      .header { $0.header }

    screen.update()
    expect(shown, [["Light*", "Dark"], ["Mail", "News*"]])
    tap(0, 0)
    expect(shown, [["Light*", "Dark"], ["Mail", "News*"]])
    tap(0, 1)
    tap(1, 0)
    tap(1, 1)
    expect(shown, [["Light", "Dark*"], ["Mail*", "News"]])
    expect(settings.selected, ["Dark", "Mail"])
    try settings.insertItems([Setting(id: "Sepia")], beforeItem: "Light")
    screen.update()
    expect(shown, [["Sepia", "Light", "Dark*"], ["Mail*", "News"]])
  }

  private func contacts() {
    let people = ListSource(sections: [
      HeadedSection(id: "A", header: "A", footer: "1 person", items: [Person(id: 1, name: "Ann")])
    ])
    let screen = ListPresenter(people, in: tableView)
      .row(Person.self, NameCell.self, sender: self) { cell, person, screen in
        cell.name.text = person.name
        cell.call = { [weak screen] in screen?.call(person) }
      }
      .header(\.header, NameView.self) { $0.name.text = $1 }
      .footer { $0.footer }
      .didSelect(Person.self, sender: self) { $1.open($0) }

    people.apply([
      HeadedSection(
        id: "A", header: "A", footer: "2 people",
        items: [Person(id: 2, name: "Abe"), Person(id: 1, name: "Anna")])
    ])

    screen.update()
    expect(shown, [["Abe", "Anna"]])
    expect(tableView.footerView(forSection: 0)?.text, "2 people")
    expect((tableView.headerView(forSection: 0) as? NameView)?.name.text, "A")
    tap(0, 1)
    (tableView.cellForRow(at: IndexPath(row: 0, section: 0)) as? NameCell)?.call()
    expect(log, ["open Anna", "call Abe"])
    expect(shown, [["Abe", "Anna*"]])
  }

  private func feed() {
    struct Story: Widget {
      var id: Int
      var title: String
      var likes: Int

      var parts: [AnyItem] {
        [
          AnyItem(Message(id: 0, text: title)), AnyItem(Picture(id: "photo", height: 200)),
          AnyItem(Likes(count: likes)),
        ]
      }
    }
    let feed = ListSource(sections: [
      HeadedSection<Int, String, _>(id: 0, items: [Story(id: 1, title: "Sun", likes: 0)].widgetRows)
    ])
    let screen = ListPresenter(feed, in: tableView)
      .row(Message.self, NameCell.self) { $0.name.text = $1.text }
      .row(Picture.self, PictureCell.self, height: \.height) { $0.picture.text = $1.id }
      .row(Likes.self, NameCell.self) { $0.name.text = "\($1.count) likes" }

    screen.update()
    expect(shown, [["Sun", "photo", "0 likes"]])
    expect(tableView.rectForRow(at: IndexPath(row: 1, section: 0)).height, 200)
    let stories = [Story(id: 2, title: "Rain", likes: 0), Story(id: 1, title: "Sun", likes: 1)]
    let changes = feed.apply([HeadedSection(id: 0, items: stories.widgetRows)])
    expect(changes.rowCounts, Changes.Counts(inserts: 3, updates: 1))
    screen.update()
    expect(shown, [["Rain", "photo", "0 likes", "Sun", "photo", "1 likes"]])
  }

  private func home() throws {
    let contacts = ListSource(sections: [
      HeadedSection(id: "contacts", header: "Contacts", items: [Person(id: 1, name: "Ann")])
    ])
    let messages = ListSource<HeadedSection<String, String, Message>>()
    let home = Composed {
      contacts
      messages
    }
    let screen = ListPresenter(home, in: tableView)
      .row(Person.self, NameCell.self) { $0.name.text = $1.name }
      .row(Message.self, NameCell.self) { $0.name.text = $1.text }
      .header { $0.header }
      .didSelect(Person.self, sender: self) { $1.open($0) }

    screen.update()
    expect(shown, [["Ann"]])
    messages.apply([
      HeadedSection(id: "messages", header: "Messages", items: [Message(id: 1, text: "Hello")])
    ])
    try contacts.appendItems([Person(id: 2, name: "Ben")])
    screen.update()
    expect(shown, [["Ann", "Ben"], ["Hello"]])
    tap(0, 1)
    tap(1, 0)
    expect(log, ["open Ben"])
    expect(shown, [["Ann", "Ben"], ["Hello*"]])
    expect(messages.selectedPaths, [ListPath(section: 0, row: 0)])
  }
}
