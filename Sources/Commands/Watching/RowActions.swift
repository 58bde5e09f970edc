import Terminals

/// The commands that keys run for a row: those of a recipe.
struct RowActions {
  private var actions: [PickKey: [PickAction]] = [:]

  /// Creates none.
  init() {}

  /// Reads those of a recipe. Actions that run no command are left out.
  init(_ recipe: Recipe) throws(CommandProblem) {
    for (key, text) in recipe.actions {
      for (keys, actions, _) in try BindingReader.read("\(key):\(text)") {
        let commands = actions.filter { $0.name == .execute || $0.name == .executeSilent }
        for key in keys { self.actions[key] = commands }
      }
    }
  }

  /// Whether a key runs commands.
  func areBound(to event: InputEvent) -> Bool { PickKey(event).map { actions[$0] != nil } ?? false }

  /// Runs the commands of a key for a row, whose cells are the fields that they name.
  ///
  /// - Throws: If there is no row, or a command cannot be made.
  func perform(
    _ event: InputEvent, on row: TablePage.Row?, _ columns: [TablePage.Column],
    _ screen: inout Screen
  ) throws(CommandProblem) {
    guard let key = PickKey(event), let actions = actions[key] else { return }
    guard let row else { throw CommandProblem(words: "no row has the cursor") }
    let cells = columns.map { row.content.cell($0.path) }
    let line = Placeholders.Line(
      text: Array(cells.joined(separator: "\t").utf8)[...], number: row.number)
    let words = Placeholders(
      query: "", current: line, marked: [line], delimiter: .text([0x09]))
    for action in actions {
      screen.run(try words.replace(action.argument), isSilent: action.name == .executeSilent)
    }
  }
}
