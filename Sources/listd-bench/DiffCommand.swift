import ListDiff

/// `listd-bench diff`: measures changes in process, for each workload and size.
struct DiffCommand {
  private var sizes: [Int] = []
  private var workloads: [Workload] = []
  private var writesJSON = false

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--json": writesJSON = true
      case "--size":
        guard let size = rest.popFirst().flatMap({ Int($0) }), size >= 100 else { return nil }
        sizes.append(size)
      case "--workload":
        guard let workload = rest.popFirst().flatMap(Workload.init) else { return nil }
        workloads.append(workload)
      default: return nil
      }
    }
    if sizes.isEmpty { sizes = [5_000, 100_000, 1_000_000] }
    if workloads.isEmpty { workloads = Workload.allCases }
  }

  func run() {
    for size in sizes {
      if !writesJSON { print(Figures.heading(size)) }
      for workload in workloads {
        let figures = measure(workload, size)
        print(writesJSON ? figures.json : figures.line)
      }
    }
  }

  private func measure(_ workload: Workload, _ size: Int) -> Figures {
    let (old, new) = workload.lists(count: size)
    var engine = EngineRun(old, new)
    let strings = PublicRun(old, new, id: BenchID.string)
    let freshStrings = PublicRun(old, new, isFresh: true, id: BenchID.string)
    let integers = PublicRun(old, new) { $0 }
    let uuids = PublicRun(old, new, id: BenchID.uuid)
    let kept = Measurement { _ = engine.run() }
    var figures = Figures(workload: workload, size: size, engine: kept.milliseconds)
    figures.strings = Measurement { _ = strings.run() }.milliseconds
    figures.freshStrings = Measurement { _ = freshStrings.run() }.milliseconds
    figures.integers = Measurement { _ = integers.run() }.milliseconds
    figures.uuids = Measurement { _ = uuids.run() }.milliseconds
    if workload.suitsStandardLibrary(size: size) {
      figures.standardLibrary = Measurement { _ = strings.runStandardLibrary() }.milliseconds
    }
    figures.counts = engine.rowCounts
    figures.sectionMoves = engine.sectionCounts.moves
    figures.ranges = engine.run().reduce(0) { $0 + $1.ops.count }
    figures.leastMoves = LeastMoves.of(old, new, workload)
    return figures
  }
}

extension Workload {
  /// Whether `difference(from:)` takes only seconds.
  fileprivate func suitsStandardLibrary(size: Int) -> Bool {
    switch self {
    case .b, .c, .c2: true
    case .k: size <= 100_000
    case .a, .d, .e, .g, .i: size <= 5_000
    case .f, .h: false
    }
  }
}
