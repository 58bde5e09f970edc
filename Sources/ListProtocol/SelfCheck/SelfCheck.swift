import ByteBuffers
import JSONBytes
import ListDiff
import ListState
import ListText

/// Checks answers before they are sent, by a second and simpler implementation.
package struct SelfCheck {
  /// A change and the snapshots that it is between.
  struct CheckedChange {
    var old: Snapshot
    var new: Snapshot
    var change: ListChange

    /// The list; `nil` if two snapshots are compared.
    var list: [UInt8]?

    /// The list whose templates render the texts of compared snapshots.
    var templates: [UInt8]?

    /// The revisions of the snapshots, if they have any.
    var baseRevision: Int?
    var revision: Int?

    /// The counts of the change, once it was checked.
    var counts = ReferenceCounts()
  }

  /// Whether answers are checked at all.
  package var isOn = false

  /// The changes and comparisons of the present request.
  private(set) var checked: [CheckedChange] = []

  /// The lists and the subscriptions before the request.
  private(set) var listsBefore = ListTable()
  private(set) var subscriptionsBefore: [[UInt8]: [Subscription]] = [:]

  /// What is found again by another way.
  var look = SecondLook()

  /// Saves the state that a request may change. Every list that changes is copied because of that.
  mutating func begin(_ lists: ListTable, _ subscriptions: [[UInt8]: [Subscription]]) {
    forget()
    look.begin()
    listsBefore = lists
    subscriptionsBefore = subscriptions
  }

  /// Records the comparison of two snapshots.
  mutating func record(
    _ change: ListChange, from old: ReferencedSnapshot, to new: ReferencedSnapshot
  ) {
    guard isOn else { return }
    checked.append(
      CheckedChange(
        old: old.snapshot, new: new.snapshot, change: change, templates: old.onlyList(with: new),
        baseRevision: old.revision, revision: new.revision))
  }

  /// Records the change of a list.
  mutating func record(
    _ change: ListChange, from old: @autoclosure () -> Snapshot, to new: @autoclosure () -> Snapshot
  ) {
    guard isOn else { return }
    checked.append(
      CheckedChange(
        old: old(), new: new(), change: change, list: change.name,
        baseRevision: change.baseRevision, revision: change.revision))
  }

  mutating func record(_ counts: ReferenceCounts, at index: Int) { checked[index].counts = counts }

  mutating func forget() {
    checked = []
    listsBefore = ListTable()
  }

  /// Checks that an answer leads from one snapshot to the other. Returns the counts of its
  /// operations, if the format has any.
  @discardableResult
  static func check(
    _ answer: Value, _ format: Format, _ content: OpContents = .new,
    _ form: ContentForm = ContentForm(), from old: Snapshot, to new: Snapshot
  ) throws(InvariantViolation) -> ReferenceCounts? {
    let isCorrect: Bool
    var counts: ReferenceCounts?
    switch format {
    case .stages, .ops:
      var list = ReferenceList(old, form)
      list.content = format == .ops && content == .none ? .new : content
      if format == .stages { try list.apply(stages: answer) } else { try list.apply(ops: answer) }
      isCorrect = list.isSame(as: ReferenceList(new, form))
      counts = list.counts
    case .jsonPatch:
      var list = ReferenceList(itemsOf: old, form)
      try list.apply(patch: answer)
      isCorrect = list.isSame(as: ReferenceList(itemsOf: new, form))
    case .textEdits, .none: isCorrect = true
    }
    try expect(isCorrect, "the answer does not lead to the new snapshot")
    return counts
  }

  /// Checks that edits lead from one text to the other. Returns the edits.
  @discardableResult
  static func check(
    _ edits: Value, from old: [UInt8], to new: [UInt8]
  ) throws(InvariantViolation) -> [LineEdit] {
    let made = try ReferenceText(old).applying(edits: edits)
    try expect(made.text == new, "the edits do not lead to the new text")
    return made.edits
  }
}

extension ListService {
  /// Checks the changes of the present request in every format.
  ///
  /// - Throws: -32603 with both snapshots if an answer is wrong.
  mutating func checkChanges() throws(Failure) {
    for (index, checked) in selfCheck.checked.enumerated() {
      // Without runs, no text of the list is open.
      let text =
        checked.change.runs.map { _ in
          textChange(checked.change, from: checked.old, to: checked.new)
        }
      for format in Format.allCases where format != .none {
        if format == .textEdits, text == nil { continue }
        let answer = answer(checked, in: format, text)
        do throws(InvariantViolation) {
          if format == .textEdits, let text {
            try SelfCheck.check(answer, from: text.old.bytes, to: text.new.bytes)
          } else if let counts = try SelfCheck.check(
            answer, format, from: checked.old, to: checked.new)
          {
            selfCheck.record(counts, at: index)
          }
        } catch {
          throw .invariantViolation(error, format, checked, answer)
        }
      }
    }
  }

  /// Returns a change in a format, with all contents.
  private mutating func answer(
    _ checked: SelfCheck.CheckedChange, in format: Format, _ text: TextChange?
  ) -> Value {
    var out = ByteBuffer()
    out.append("{")
    let encoding = ChangeEncoding(
      format: format, content: .new, form: ContentForm(singleLine: context.singleLine))
    append(membersOf: checked.change, encoding, text, to: &out)
    out.append("}")
    guard let answer = Value(out.shared())[format.rawValue] else {
      preconditionFailure("a format that is not encoded")
    }
    return answer
  }
}

extension Failure {
  /// A wrong answer, with the snapshots that it should lead from and to.
  static func invariantViolation(
    _ violation: InvariantViolation, _ format: Format, _ checked: SelfCheck.CheckedChange,
    _ answer: Value
  ) -> Failure {
    func sections(_ snapshot: Snapshot) -> FailureData.Member {
      .json { buffer in
        buffer.append("{\"sections\":")
        ContentWriter(ListRows(snapshot)).appendSections(to: &buffer)
        buffer.append("}")
      }
    }
    return invariantViolation(
      violation,
      [
        "format": .text(format.rawValue), "old": sections(checked.old),
        "new": sections(checked.new),
        "answer": .json { $0.append(json: answer.bytes, singleLine: true) },
      ])
  }

  /// A wrong answer, with data that show what is wrong.
  static func invariantViolation(_ violation: InvariantViolation, _ data: FailureData) -> Failure {
    var failure = Failure(
      .internalError, "an answer was wrong and is not sent: \(violation.message)",
      data: ["law": .text(violation.message)])
    failure.add(data)
    return failure
  }
}
