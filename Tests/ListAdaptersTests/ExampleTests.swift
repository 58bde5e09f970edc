import ListAdapters
import Testing

/// Promise: A list in a terminal shows its rows after any change, and does not write unchanged rows
///   again.
struct ProcessRow: Identifiable, Equatable {
  var id: Int
  var name: String
}

/// The screen of a terminal list, and the lines that are written.
@Suite struct ExampleTests {
  @Test func showingAList() {
    let processes = [ProcessRow(id: 1, name: "init"), ProcessRow(id: 7, name: "listd")]
    var list = TerminalList<ProcessRow>(height: 24, width: 80)
    let sequences = list.show(processes) { "\($0.id) \($0.name)" }
    var screen = Screen(height: 24)
    screen.write(sequences)
    #expect(screen.lines.prefix(3) == ["1 init", "7 listd", ""])
    let nothing = list.show(processes) { "\($0.id) \($0.name)" }
    #expect(nothing == "")
  }

  @Test func keptRowsAreNotWritten() {
    var list = TerminalList<ProcessRow>(height: 4, width: 6)
    let rows = (0..<5).map { ProcessRow(id: $0, name: "row \($0)") }
    _ = list.show(rows) { $0.name }
    let moved = list.show([rows[3]] + rows[..<3] + [rows[4]]) { $0.name }
    #expect(!moved.contains("row 0") && moved.contains("row 3"))
    let evil = list.show([ProcessRow(id: 9, name: "a\u{1B}[2J\u{9B}bcdef")]) { $0.name }
    #expect(evil.contains("a?[2J?") && !evil.contains("b"))
  }

  /// The screen shows the rows in view after any changes.
  @Test(arguments: [0, 3] as [Int]) func theScreenShowsTheRowsInView(top: Int) {
    var state: UInt64 = 11
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(1, bound)))
    }
    var list = TerminalList<ProcessRow>(height: 7, width: 20)
    list.top = top
    var screen = Screen(height: 9)
    screen.write(list.show([]) { $0.name })
    screen.lines[8] = "below"
    var rows: [ProcessRow] = []
    for round in 0..<600 {
      for _ in 0..<random(4) where !rows.isEmpty { rows.remove(at: random(rows.count)) }
      for _ in 0..<random(4) {
        rows.insert(
          ProcessRow(id: round * 10 + random(9), name: "n\(round)"), at: random(rows.count + 1))
      }
      if !rows.isEmpty {
        rows.append(rows.remove(at: random(rows.count)))
        rows[random(rows.count)].name += "!"
      }
      screen.write(list.show(rows) { "\($0.id) \($0.name)" })
      let wanted = rows.dropFirst(top).prefix(7).map { String("\($0.id) \($0.name)".prefix(20)) }
      #expect(Array(screen.lines.prefix(wanted.count)) == wanted)
      #expect(screen.lines[wanted.count..<7].allSatisfy { $0.isEmpty })
      #expect(screen.lines[8] == "below")
    }
  }
}

/// A terminal that understands cursor positions and sequences that clear, insert and delete lines.
private struct Screen {
  var lines: [String]
  private var row = 0
  private var end: Int

  init(height: Int) {
    lines = Array(repeating: "", count: height)
    end = height
  }

  mutating func write(_ text: String) {
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        lines[row].unicodeScalars.append(scalar)
        continue
      }
      precondition(rest.popFirst() == "[")
      let digits = rest.prefix { "0123456789;".unicodeScalars.contains($0) }
      rest = rest.dropFirst(digits.count)
      let numbers = String(digits).split(separator: ";").compactMap { Int($0) }
      switch rest.popFirst() {
      case "H": row = (numbers.first ?? 1) - 1
      case "J": for line in row..<lines.count { lines[line] = "" }
      case "K": lines[row] = ""
      case "r":
        end = numbers.last ?? lines.count
        row = 0
      case "L":
        lines.removeSubrange(end - numbers[0]..<end)
        lines.insert(contentsOf: Array(repeating: "", count: numbers[0]), at: row)
      case "M":
        lines.removeSubrange(row..<row + numbers[0])
        lines.insert(contentsOf: Array(repeating: "", count: numbers[0]), at: end - numbers[0])
      default: preconditionFailure("an unknown sequence")
      }
    }
  }
}
