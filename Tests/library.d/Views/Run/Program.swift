import Foundation
import ListDiff
import ListSources

/// Shows random changes in the views of UIKit and AppKit, and compares all cells, headers and selections
/// with the data after each.
@main struct Program {
  @MainActor static func main() async throws {
    try Tutorials.run()
    try await Examples.run()
    // LISTD_SCREENS=10000 shows 100,000 turns of sources in three screens.
    let rounds = ProcessInfo.processInfo.environment["LISTD_SCREENS"].flatMap { Int($0) } ?? 2_000
    var count = 0
    for seed in 1...10 as ClosedRange<UInt64> {
      var run = Run(seed: seed)
      try run.showFlatLists(3_000)
      try run.showLists(4_000)
      try run.showSnapshots(1_000)
      try await run.showSources(rounds)
      run.showCompositions(1_000)
      count += run.shown
    }
    if count < 10 * (8_000 + rounds) { fail("only \(count) changes were shown") }
    print("tables and collections show \(count) changes")
  }
}

/// Ends the program.
///
/// Promise: Tables and collections show the rows, headers and selection of sources and compositions
///   after any edits, taps and undos in a turn, and the stages of any change; UIKit and AppKit raise
///   no exception. Also `PresenterTests`.
@MainActor func fail(_ what: String) -> Never {
  FileHandle.standardError.write(Data("\(Run.place): \(what)\n".utf8))
  exit(1)
}
