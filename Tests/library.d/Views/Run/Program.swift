import Foundation
import ListDiff
import ListSources

/// Shows random changes in the views of UIKit and AppKit, through the adapters, and compares all cells
/// and headers with the data after each.
@main struct Program {
  @MainActor static func main() async throws {
    var count = 0
    for seed in 1...10 as ClosedRange<UInt64> {
      var run = Run(seed: seed)
      try run.showFlatLists(3_000)
      try run.showLists(4_000)
      try run.showSnapshots(1_000)
      try await run.showSources(2_000)
      try run.showCompositions(1_000)
      count += run.shown
    }
    if count < 100_000 { fail("only \(count) changes were shown") }
    print("tables and collections show \(count) changes")
  }
}

/// Ends the program.
///
/// Promise: Tables and collections show the rows and headers of lists, snapshots, sources and
///   compositions after any changes, and UIKit and AppKit raise no exception.
@MainActor func fail(_ what: String) -> Never {
  FileHandle.standardError.write(Data("\(Run.place): \(what)\n".utf8))
  exit(1)
}
