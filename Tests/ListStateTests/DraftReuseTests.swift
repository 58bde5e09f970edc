import ListDiff
import ListState
import Testing

/// What edits have made of a list, told by what it has of the list before.
@Suite struct DraftReuseTests {
  /// Makes edits and says what is to be written down: sections that are kept as `#2` or `#0-3`,
  /// others as `own:items`, where a number or a range stands for what was there.
  private func told(
    _ edits: [Edit], bringing brought: Snapshot = Snapshot(), _ lists: inout Lists
  ) throws -> String {
    let before = try lines(lists.list().snapshot)
    lists.store.keepsTouched = true
    lists.store.forgetTouched()
    let made = try lists.store.editDraft(
      Array("l".utf8), Edits(edits, bringing: brought), ChangeRequest())
    let reuse = try #require(lists.store.touched.first?.reuse)
    #expect(made != nil)
    #expect(rebuilt(reuse, from: before) == lines(try lists.list().snapshot))
    return reuse.sections.map { picture($0, reuse) }.joined(separator: " | ")
  }

  private func picture(_ sections: DraftReuse.Sections, _ reuse: DraftReuse) -> String {
    func range(_ range: Range<Int>) -> String {
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound - 1)"
    }
    switch sections {
    case .kept(let kept): return "#" + range(kept)
    case .changed(let section):
      let source = reuse.sources[section.source]
      let own = section.own.map { "\($0)" } ?? text(source.sections[section.index].own, source)
      let items = section.items.map { items in
        switch items {
        case .kept(let kept): range(kept)
        case .brought(let place, let brought):
          brought.map { text(reuse.sources[place].payloads[$0], reuse.sources[place]) }
            .joined(separator: " ")
        }
      }
      return ([own] + items).joined(separator: " ")
    }
  }

  private func lines(_ snapshot: Snapshot) -> [[String]] {
    snapshot.sections.indices.map { section in
      [text(snapshot.sections[section].own, snapshot)]
        + snapshot.arrangement.range(ofSection: section).map {
          text(snapshot.payloads[$0], snapshot)
        }
    }
  }

  private func rebuilt(_ reuse: DraftReuse, from before: [[String]]) -> [[String]] {
    let items = before.flatMap { $0.dropFirst() }
    return reuse.sections.flatMap { sections -> [[String]] in
      switch sections {
      case .kept(let range): return Array(before[range])
      case .changed(let section):
        let source = reuse.sources[section.source]
        var line = [
          section.own.map { before[$0][0] } ?? text(source.sections[section.index].own, source)
        ]
        for content in section.items {
          switch content {
          case .kept(let range): line += items[range]
          case .brought(let place, let range):
            line += range.map { text(reuse.sources[place].payloads[$0], reuse.sources[place]) }
          }
        }
        return [line]
      }
    }
  }

  private func text(_ payload: Payload, _ snapshot: Snapshot) -> String {
    String(decoding: snapshot.bytes(of: payload), as: UTF8.self)
  }

  private func begun() throws -> Lists {
    var lists = Lists()
    try lists.apply("A a= b= c= d= | B e= f= | C | D g= h=")
    return lists
  }

  @Test func itemsThatStayAreRuns() throws {
    var lists = try begun()
    let c = lists.reference("c")
    #expect(try told([.deleteItems([c])], &lists) == "0 0-1 3 | #1-3")
    let new = lists.snapshot("X x= y=")
    let edit = Edit.insertItems(
      Given(new), AnchoredItem(item: lists.reference("d"), isAfter: false))
    #expect(try told([edit], bringing: new, &lists) == "0 0-1 x= y= 2 | #1-3")
    let update = lists.snapshot("X y=*")
    #expect(
      try told([.updateItems(Given(update))], bringing: update, &lists) == "0 0-2 y=* 4 | #1-3")
  }

  @Test func itemsMoveAcrossSections() throws {
    var lists = try begun()
    let anchor = AnchoredItem(item: lists.reference("f"), isAfter: true)
    let moved = [lists.reference("b"), lists.reference("c"), lists.reference("g")]
    #expect(
      try told([.moveItems(moved, anchor)], &lists) == "0 0 3 | 1 4-5 1-2 6 | #2 | 3 7")
    let back = AnchoredItem(item: lists.reference("d"), isAfter: true)
    #expect(
      try told([.moveItems([lists.reference("g")], back)], &lists) == "0 0-1 6 | 1 2-5 | #2-3")
  }

  @Test func sectionsMoveComeAndGo() throws {
    var lists = try begun()
    func section(_ word: String) -> SectionReference {
      SectionReference(key: lists.store.ids.find(.string, word))
    }
    let anchor = AnchoredSection(section: section("A"), isAfter: false)
    #expect(try told([.moveSection(section("D"), anchor)], &lists) == "#3 | #0-2")
    #expect(try told([.deleteSections([section("A")])], &lists) == "#0 | #2-3")
    let new = lists.snapshot("E z=")
    #expect(try told([.appendSections(Given(new))], bringing: new, &lists) == "#0-2 | E z=")
    let own = lists.snapshot("B/m")
    #expect(
      try told([.updateSections(Given(own))], bringing: own, &lists) == "#0 | B/m 2-3 | #2-3")
  }

  @Test func whateverIsEdited() throws {
    var random = SeededGenerator(seed: 7)
    var lists = try begun()
    var letters = Array("abcdefgh").map(String.init)
    for round in 0..<300 {
      let pick = letters.randomElement(using: &random)!
      let other = letters.filter { $0 != pick }.randomElement(using: &random)!
      let anchor = AnchoredItem(item: lists.reference(other), isAfter: round % 2 == 0)
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where letters.count > 4:
        letters.removeAll { $0 == pick }
        _ = try told([.deleteItems([lists.reference(pick)])], &lists)
      case 1:
        let word = "n" + String(UInt64(round), radix: 2).map { $0 == "0" ? "x" : "y" }.joined()
        letters.append(word)
        let new = lists.snapshot("X \(word)=")
        _ = try told([.insertItems(Given(new), anchor)], bringing: new, &lists)
      case 2:
        let new = lists.snapshot("X \(pick)=\(round)")
        _ = try told([.updateItems(Given(new))], bringing: new, &lists)
      default: _ = try told([.moveItems([lists.reference(pick)], anchor)], &lists)
      }
    }
  }
}

extension Given {
  /// All of what edits bring.
  fileprivate init(_ brought: Snapshot) {
    self.init(items: 0..<brought.itemCount, sections: brought.sections.indices)
  }
}

extension IDTable {
  fileprivate func find(_ kind: IDKind, _ word: String) -> UInt32? {
    Array(word.utf8).withUnsafeBytes { find(kind, $0) }
  }
}
