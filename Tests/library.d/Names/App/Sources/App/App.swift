import FuzzyMatch
import ListDiff
import ListSources
import ListdDiff
import ListdMatch

/// Promise: A package can use the libraries beside others whose modules have the same names.
struct Row: Identifiable, Equatable, Sendable { let id: Int }

@main
struct App {
  @MainActor static func main() {
    let source = ListSource(sections: [ListdDiff.Changes.Section(id: 0, items: [Row(id: 1)])])
    let changes = source.apply([ListdDiff.Changes.Section(id: 0, items: [Row(id: 2), Row(id: 1)])])
    precondition(changes.rowCounts.inserts == 1 && ListDiff.Changes() == ListDiff.Changes())
    let match = ListdMatch.Query("ab").match(in: "a b")
    precondition(match != nil && FuzzyMatch.Query().isTheirs)
    print("modules with the names of ours can be used beside them")
  }
}
