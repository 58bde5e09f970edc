import Testing

@testable import ListState

/// Compares histories with arrays.
@Suite struct HistoryTests {
  /// A revision of the model. Some are kept as snapshots, and ``History/steps(backTo:)`` ends there.
  private struct ModelRevision: Equatable {
    var number: Int
    var isSnapshot: Bool

    init(_ past: PastRevision) {
      number = past.revision
      isSnapshot = past.content.snapshot != nil
    }
  }

  private struct Model {
    var revisions: [PastRevision] = []

    var footprint: Int { revisions.reduce(0) { $0 + $1.footprint } }

    mutating func append(_ past: PastRevision, within budget: Int) {
      revisions.append(past)
      while footprint > budget, revisions.count > 1 { revisions.removeFirst() }
    }

    mutating func trim(to budget: Int) {
      while footprint > budget, !revisions.isEmpty { revisions.removeFirst() }
    }

    func steps(backTo number: Int) -> [ModelRevision] {
      guard let first = revisions.firstIndex(where: { $0.revision == number }) else { return [] }
      let steps = revisions[first...].map { ModelRevision($0) }
      let end = steps.firstIndex { $0.isSnapshot } ?? steps.count - 1
      return Array(steps[...end])
    }
  }

  @Test(arguments: 0..<12)
  func historiesEqualArrays(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var history = History()
    var model = Model()
    // A copy must keep what it had.
    var copies: [(history: History, model: Model)] = []
    let size = PastRevision(revision: 1, content: .snapshot(Snapshot())).footprint
    var number = 0
    for _ in 0..<600 {
      switch random.below(40) {
      case 0:
        let budget = random.below(80) * size
        history.trim(to: budget)
        model.trim(to: budget)
      case 1...4: copies.append((history, model))
      default:
        number += 1 + random.below(2)
        let isSnapshot = random.below(20) == 0
        let past = PastRevision(
          revision: number,
          content: isSnapshot
            ? .snapshot(Snapshot()) : .step(PackedStep(Snapshot(), from: Snapshot(), keeping: [])))
        let budget = random.below(10) == 0 ? random.below(100) * size : .max
        history.append(past, within: budget)
        model.append(past, within: budget)
      }
      if random.below(8) == 0 { check(history, model, &random) }
    }
    for (history, model) in copies { check(history, model, &random) }
  }

  private func check(_ history: History, _ model: Model, _ random: inout SeededGenerator) {
    #expect(history.revisions.map(ModelRevision.init) == model.revisions.map(ModelRevision.init))
    #expect(history.oldest == model.revisions.first?.revision)
    #expect(history.newestFootprint == model.revisions.last?.footprint)
    #expect(history.footprint == model.footprint)
    for _ in 0..<4 {
      let number = random.below((model.revisions.last?.revision ?? 0) + 3)
      #expect(history.steps(backTo: number).map(ModelRevision.init) == model.steps(backTo: number))
    }
  }
}
