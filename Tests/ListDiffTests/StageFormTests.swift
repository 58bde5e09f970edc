import ListStages
import Testing

@testable import ListDiff

/// Compares the normal form of stages with arrays to which the operations are applied one by one.
@Suite struct StageFormTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func rowsAreWhereTheOperationsTakeThem(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let (old, stage, new) = PlainList.random(&random).edited(&random)
    #expect(old.applying(stage) == new.withoutNewRows(old))
    let form = StageForm(stage)
    for (path, id) in old.rows { #expect(form.path(path) == new.path(of: id), "\(stage)") }
    for (path, id) in new.rows { #expect(form.origin(path) == old.path(of: id), "\(stage)") }
    for (index, section) in old.sections.enumerated() {
      #expect(form.section(index) == new.index(of: section.id))
    }
    for (index, section) in new.sections.enumerated() {
      #expect(form.origin(section: index) == old.index(of: section.id))
    }
    var sections: [[Int?]] = []
    let fits = form.forEachSection(of: old.shape) { origin, pieces in
      #expect(origin == old.index(of: new.sections[sections.count].id))
      sections.append(
        pieces.flatMap { piece in
          (0..<piece.count).map { offset in piece.from.map { old[$0.advanced(by: offset)] } }
        })
    }
    #expect(fits)
    #expect(sections == new.sections.map { $0.rows.map { old.path(of: $0) == nil ? nil : $0 } })
  }

  /// The operations of a stage in sequence lead to the same list.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func sequencesDoTheSame(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let (old, stage, new) = PlainList.random(&random)
      .edited(&random, rowsLeaveDeletedSections: false)
    var list = old
    let sequence = OpSequence([stage])
    var counts = sequence.insertedRowCounts[...]
    for op in sequence.ops { list.play(op, &counts) }
    #expect(list == new.withoutNewRows(old), "\(stage)")
    #expect(counts.isEmpty)
  }

  /// Where rows are after several stages, and were before them, follows from each of the stages.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func stagesFollowOneAnother(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var lists = [PlainList.random(&random)]
    var stages: [Stage] = []
    for number in 1...3 {
      let (_, stage, new) = lists[lists.count - 1].edited(&random, firstNewID: 1000 * number)
      if stage.ops.isEmpty { continue }
      stages.append(stage)
      lists.append(new)
    }
    let paths = StagePaths(structureOf: stages)
    let insertions = StageInsertions.ofStages(stages)
    for (number, list) in lists.enumerated() {
      for (path, id) in list.rows {
        let isOld = lists[..<number].allSatisfy { $0.path(of: id) != nil }
        let staysOn = lists[number...].allSatisfy { $0.path(of: id) != nil }
        #expect(paths.origin(path, before: number) == (isOld ? lists[0].path(of: id) : nil))
        #expect(
          paths.end(path, after: number - 1) == (staysOn ? lists.last!.path(of: id) : nil))
      }
    }
    let last = lists.last!
    #expect(insertions.count == stages.count)
    // What an inserted section has besides its rows arrives in a later stage.
    let arrivesInInserted =
      paths.forms.last.map { form in
        form.rows.arriving.contains { form.origin(section: $0.at.section) == nil }
      } ?? false
    if let arrivals = insertions.last, !arrivesInInserted {
      let before = lists[lists.count - 2]
      let rows = arrivals.rows.flatMap { rows in
        (0..<rows.count).map { rows.at.advanced(by: $0) }
      }
      #expect(rows.sorted() == last.rows.filter { before.path(of: $0.id) == nil }.map { $0.path })
    }
  }

  /// A stage fits a list if and only if its operations can be applied to arrays.
  @Test func stagesThatDoNotFitAreRefused() throws {
    var refused = 0
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SplitMix(seed: seed)
      var (old, stage, _) = PlainList.random(&random).edited(&random)
      guard let index = stage.ops.indices.randomElement(using: &random) else { continue }
      var op = stage.ops[index].parts
      switch Int.random(in: 0..<5, using: &random) {
      case 0: op.count += Int.random(in: 1...3, using: &random)
      case 1: op.at = op.at.advanced(by: Int.random(in: 1...4, using: &random))
      case 2: op.to = op.to.advanced(by: Int.random(in: 1...4, using: &random))
      case 3 where op.isOfRows: op.to = Path(section: op.to.section + 1, row: op.to.row)
      default: stage.insertedRowCounts.append(1)
      }
      if op.verb == .insert || op.verb == .delete { op.at = op.to }
      stage.ops[index] = Op(op)
      let expected = old.applying(stage)
      var shape: [Int] = []
      let fits = StageForm(stage).forEachSection(of: old.shape) { _, pieces in
        shape.append(pieces.reduce(0) { $0 + $1.count })
      }
      #expect(fits == (expected != nil), "\(stage) of \(old.shape)")
      if let expected { #expect(shape == expected.shape) } else { refused += 1 }
    }
    #expect(refused > 500)
  }

  @Test func operationsConsistOfTheirParts() {
    var random = SplitMix(seed: 1)
    for _ in 0..<100 {
      let (_, stage, _) = PlainList.random(&random).edited(&random)
      for op in stage.ops { #expect(Op(op.parts) == op) }
    }
    let at = Path(section: 1, row: 2)
    let ops: [Op] = [
      .reloadSections(at: 1, count: 2), .reconfigureSections(at: 3, count: 1),
      .reloadItems(at: at, count: 2), .reconfigureItems(at: at, count: 1),
    ]
    for op in ops {
      #expect(Op(op.parts) == op)
      #expect(op.isOfContents)
    }
  }
}
