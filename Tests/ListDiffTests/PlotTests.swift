import Foundation
import Testing
import listd_bench

/// The plots in the README and beside them.
///
/// Promise: The plot in `README.md` shows the figures of `.github/speed/README.md`. Also
///   `test_the_figures_are_those_of_the_plot`.
@Suite struct PlotTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".github/speed")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
  }

  @Test(arguments: [("light.svg", false), ("dark.svg", true)])
  func plotsShowTheFigures(name: String, isDark: Bool) throws {
    let drawn = try PlotCommand.svg(of: text("figures.ndjson"), isDark: isDark)
    let kept = try text(name)
    #expect(drawn == kept, "draw \(name) again: listd-bench --plot")
  }

  @Test func invalidFiguresAreRejected() {
    let figures = "{\"workload\":\"k\",\"rows\":100000,\"keysKept\":1}\n{\"rows\":1}\n"
    #expect(throws: (any Error).self) { try PlotCommand.svg(of: figures, isDark: false) }
  }
}
