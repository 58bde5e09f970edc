import Foundation

/// `listd-bench --plot FILE`: draws the output of `diff --json` and `session --json`.
package struct PlotCommand {
  private var path = ""
  private var isDark = false

  /// Reads the options; `nil` if one is unknown or there is no file.
  init?(_ arguments: ArraySlice<String>) {
    for argument in arguments {
      switch argument {
      case "--dark": isDark = true
      case _ where argument.hasPrefix("-") || !path.isEmpty: return nil
      default: path = argument
      }
    }
    if path.isEmpty { return nil }
  }

  /// - Throws: If the file cannot be read, or a line is not a figure.
  func run() throws {
    let figures = try String(contentsOfFile: path, encoding: .utf8)
    print(try Self.svg(of: figures, isDark: isDark), terminator: "")
  }

  /// Returns the plot of figures. Each line is a JSON object.
  package static func svg(of figures: String, isDark: Bool) throws -> String {
    var changes = Plot.Panel(
      title: "100,000 rows in a Swift program: the time of a change, less is better",
      series: ["ids kept", "Int ids", "String ids", "difference(from:)"])
    var replies = Plot.Panel(
      title: "Over a pipe: request in, reply out",
      series: ["listd", "a comparison by Python's json and a dictionary"])
    for (index, text) in figures.split(separator: "\n").enumerated() {
      guard let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8)) else {
        throw PlotProblem(line: index + 1)
      }
      if let kept = line.keysKept {
        guard line.rows == 100_000, let workload = Workload(rawValue: line.workload) else {
          continue
        }
        let values = [kept, line.int, line.string, line.difference]
        changes.rows.append((workload.title, values))
      } else if let time = line.p50 {
        replies.rows.append((line.title, [time, line.python]))
      }
    }
    let panels = [changes, replies].filter { !$0.rows.isEmpty }
    return Plot(panels: panels, palette: isDark ? .dark : .light).svg
  }

  /// The number of a line that is not a figure.
  struct PlotProblem: Error, CustomStringConvertible {
    let line: Int
    var description: String { "line \(line) is not a figure of listd-bench" }
  }

  /// The members of a line that are drawn.
  private struct Line: Decodable {
    let workload: String
    let rows: Int
    var keysKept: Double?
    var int: Double?
    var string: Double?
    var difference: Double?
    var p50: Double?
    var python: Double?

    var title: String {
      let count = rows < 1000 ? "\(rows)" : rows < 1_000_000 ? "\(rows / 1000),000" : "1,000,000"
      return switch workload {
      case "edit": "one edit of \(count) rows"
      case "first": "the first \(count) rows"
      default: "\(count) rows, " + (Workload(rawValue: workload)?.title ?? workload)
      }
    }
  }
}

extension Workload {
  /// A description of the change for readers who do not know the letters.
  fileprivate var title: String {
    switch self {
    case .a: "a tenth each deleted and inserted"
    case .b: "one inserted at the front"
    case .c: "the last moved to the front"
    case .c2: "the first moved to the end"
    case .d: "all shuffled"
    case .e: "reversed"
    case .f: "half of the contents changed"
    case .g: "all replaced"
    case .k: "1 % changed"
    case .i: "ids that repeat ten times"
    case .h: "100 sections, rows move across"
    }
  }
}
