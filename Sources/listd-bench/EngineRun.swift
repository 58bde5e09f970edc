import ListDiff
import ListStages

/// A workload in the form of the engine: interned keys, and contents as integers.
package struct EngineRun: ~Copyable {
  private let old: Arrangement
  private let new: Arrangement
  private let oldContents: [Int32]
  private let newContents: [Int32]
  private let universe: Int
  private var engine = DiffEngine()

  package init(_ old: WorkloadList, _ new: WorkloadList) {
    var keys: [Int: UInt32] = [:]
    func key(_ id: Int) -> UInt32 {
      if let key = keys[id] { return key }
      let key = UInt32(keys.count)
      keys[id] = key
      return key
    }
    func arrangement(_ list: WorkloadList) -> Arrangement {
      var result = Arrangement()
      // Sections have negative numbers, so that their keys differ from those of rows.
      result.sections = list.sections.map { key(-1 - $0.id) }
      for section in list.sections {
        result.rows += section.rows.map { key($0.id) }
        result.starts.append(Int32(result.rows.count))
      }
      result.hasRepeats = Set(result.rows).count < result.rows.count
      return result
    }
    self.old = arrangement(old)
    self.new = arrangement(new)
    oldContents = old.rows.map { Int32($0.content) }
    newContents = new.rows.map { Int32($0.content) }
    universe = keys.count
  }

  /// Computes the change once and returns its stages.
  package mutating func run() -> [Stage] {
    engine.match(old, new, universe: universe)
    engine.findMoves(oldStarts: old.starts, newStarts: new.starts)
    var stages = engine.structuralStages(oldStarts: old.starts, newStarts: new.starts)
    let oldContents = oldContents
    let newContents = newContents
    let oldSpan = oldContents.span
    let newSpan = newContents.span
    let contents = engine.contentStage(newStarts: new.starts) { _, _ in
      .none
    } comparing: { runs, changes in
      for run in runs {
        let (old, new, count) = (Int(run.old), Int(run.new), Int(run.count))
        if count == 1 {
          if oldSpan[old] != newSpan[new] { changes.append(.reconfigure, row: new) }
          continue
        }
        let before = oldSpan.extracting(old..<old + count)
        let after = newSpan.extracting(new..<new + count)
        for offset in 0..<count where before[offset] != after[offset] {
          changes.append(.reconfigure, row: new + offset)
        }
      }
    }
    if !contents.ops.isEmpty { stages.append(contents) }
    return stages
  }

  package var cost: DiffCost { DiffCost(of: engine) }
  package var rowCounts: Counts { engine.movement.rowCounts }
  package var sectionCounts: Counts { engine.movement.sectionCounts }
}
