import ListDiff
import Testing

@testable import listd_fuzz

/// Small changes in a compact notation: ids in order, `*` marks new content, `|` begins a section.
///
/// In a change, `-` deletes, `+` inserts, `~` updates and `a>b` moves. `x` is followed by a count,
/// a full stop separates section and row, `|` marks operations on sections, and `/` separates
/// stages.
@Suite struct PictureTests {
  @Test func rows() {
    check("", "", "")
    check("a b c", "a b c", "")
    check("", "a b c", "+0x3")
    check("a b c", "", "-0x3")
    check("a b c", "a c", "-1")
    check("a c", "a b c", "+1")
    check("a b c", "a b* c", "~1")
    check("a b c", "c a b", "2>0")
    check("a b c", "b c a", "0>2")
    check("1 2 3 4 5 6", "1 4 2 5 6 3", "3>1 2>5")
    check("0 1 2 3 4 5 6 7 8 9", "0 7 2 3 4 5 6 1 8 9", "7>1 1>7")
    check("a b c d", "c d a b", "2>0x2")
    check("a b c", "c* x b", "-0 +1 2>0 / ~0")
  }

  @Test func sections() {
    check("a b c | d", "b c* a | d", "0.0>0.2 / ~0.1")
    check("s: 1 2", "s: 1 | t: 2", "+|1(0) / 0.1>1.0")
    check("s: 1 | t: 2", "s: 1 2", "1.0>0.1 / -|1")
    check("s: 1 2 | t: 3", "t: 3 | s: 1 2", "0>|1")
    check("s: 1 | t: 2 | u: 3", "u: 3 | s: 1 | t: 2", "2>|0")
    check("s: 1 2 | t: 3", "t: 3 | s: 2", "1>|0 -0.0")
    check("s: 1 2", "s: 1 2 | t: 3 4", "+|1(2)")
    check("s: 1 2 | t: 3", "t: 3", "-|0")
    check("s: 1 | t: 2", "u: 1 | t: 2", "+|0(0) / 1.0>0.0 / -|1")
  }

  @Test func repeats() {
    check("a a a", "a a", "-2")
    check("x a b y a b", "a b y a b", "-0")
    check("a b a b", "a b a b a b", "+4x2")
    check("a b c a", "a a b c", "3>1")
  }

  @Test func longLists() throws {
    var engine = DiffEngine()
    let change = try ChangeInvariants(
      ReferenceList(flat: 0..<1000), ReferenceList(flat: Array(1..<1000) + [0]), using: &engine)
    #expect(change.picture(isFlat: true) == "0>999")
  }

  private func check(
    _ old: String, _ new: String, _ picture: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var engine = DiffEngine()
    do {
      let change = try ChangeInvariants(ReferenceList(old), ReferenceList(new), using: &engine)
      let isFlat = !old.contains("|") && !new.contains("|")
      #expect(
        change.picture(isFlat: isFlat) == picture, "\(old) → \(new)",
        sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(old) → \(new): \(error)", sourceLocation: sourceLocation)
    }
  }
}

extension ChangeInvariants {
  func picture(isFlat: Bool) -> String {
    stages.map { stage in
      var counts = stage.insertedRowCounts[...]
      return stage.ops.map { op in
        switch op {
        case .deleteSections(let at, let count): "-|\(at)" + times(count)
        case .insertSections(let at, let count):
          "+|\(at)" + times(count) + "("
            + (0..<count).map { _ in "\(counts.removeFirst())" }.joined(separator: ",") + ")"
        case .moveSections(let from, let to, let count): "\(from)>|\(to)" + times(count)
        case .deleteItems(let at, let count): "-" + name(at, isFlat) + times(count)
        case .insertItems(let at, let count): "+" + name(at, isFlat) + times(count)
        case .moveItems(let from, let to, let count):
          name(from, isFlat) + ">" + name(to, isFlat) + times(count)
        case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
          "~|\(at)" + times(count)
        case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
          "~" + name(at, isFlat) + times(count)
        }
      }.joined(separator: " ")
    }.joined(separator: " / ")
  }

  private func times(_ count: Int) -> String { count == 1 ? "" : "x\(count)" }

  private func name(_ path: Path, _ isFlat: Bool) -> String {
    isFlat ? "\(path.row)" : "\(path.section).\(path.row)"
  }
}
