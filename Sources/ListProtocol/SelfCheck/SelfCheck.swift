import JSONBytes
import ListDiff
import ListState
import ListText

/// What answers are checked against before they are sent, by a second and plainer implementation.
package struct SelfCheck {
  /// A change that was made, and what it is between.
  struct Told {
    var old: Snapshot
    var new: Snapshot
    var change: SnapshotChange

    /// The edits that made the change, if they were made in a tree.
    var edits: EditChange?

    /// The list; `nil` of snapshots that are compared.
    var list: [UInt8]?

    /// The list whose templates the texts have of snapshots that are compared.
    var templates: [UInt8]?

    /// The revisions before and after, of snapshots that have them.
    var baseRevision: Int?
    var revision: Int?

    /// What the change comes to; known when it was checked.
    var counts = ObviousCounts()
  }

  /// Whether answers are checked at all.
  package var isOn = false

  /// What was changed or compared since that was last forgotten.
  private(set) var told: [Told] = []

  /// The lists and the subscriptions before the request.
  private(set) var listsBefore: [[UInt8]: NamedList] = [:]
  private(set) var subscriptionsBefore: [[UInt8]: [Subscription]] = [:]

  /// Keeps what a request may change. With a copy of the lists, each that is changed is copied.
  mutating func begin(_ lists: [[UInt8]: NamedList], _ subscriptions: [[UInt8]: [Subscription]]) {
    forget()
    listsBefore = lists
    subscriptionsBefore = subscriptions
  }

  /// Notes snapshots that were compared.
  mutating func note(
    _ change: SnapshotChange, from old: ReferencedSnapshot, to new: ReferencedSnapshot
  ) {
    guard isOn else { return }
    told.append(
      Told(
        old: old.snapshot, new: new.snapshot, change: change, templates: old.onlyList(with: new),
        baseRevision: old.revision, revision: new.revision))
  }

  mutating func note(_ change: ListChange) {
    guard isOn else { return }
    told.append(
      Told(
        old: change.old, new: change.new, change: change.changes, list: change.name,
        baseRevision: change.baseRevision, revision: change.revision))
  }

  /// Notes what edits have made of a list.
  mutating func note(_ change: EditChange, to new: Snapshot) {
    told.append(
      Told(
        old: listsBefore[change.name]?.whole.snapshot ?? Snapshot(), new: new,
        change: SnapshotChange(change), edits: change, list: change.name,
        baseRevision: change.baseRevision, revision: change.revision))
  }

  mutating func note(_ counts: ObviousCounts, at place: Int) { told[place].counts = counts }

  mutating func forget() {
    told = []
    listsBefore = [:]
  }

  /// Whether what an answer in a format makes of a list is what it has become; returns how much it
  /// changes, in a format of operations.
  @discardableResult
  static func check(
    _ answer: Value, _ format: Format, hasContents: Bool = true, from old: Snapshot,
    to new: Snapshot
  ) throws(BrokenLaw) -> ObviousCounts? {
    let isRight: Bool
    var counts: ObviousCounts?
    switch format {
    case .stages, .ops:
      var list = ObviousList(old)
      list.hasContents = hasContents || format == .ops
      if format == .stages { try list.apply(stages: answer) } else { try list.apply(ops: answer) }
      isRight = list.isSame(as: ObviousList(new))
      counts = list.counts
    case .jsonPatch:
      var document = ObviousDocument(old)
      try document.apply(patch: answer)
      isRight = document.isSame(as: ObviousDocument(new))
    case .textEdits, .none: isRight = true
    }
    guard isRight else {
      throw BrokenLaw(words: "the answer does not lead to the new snapshot")
    }
    return counts
  }

  /// Whether edits make a text of another; returns them.
  @discardableResult
  static func check(
    _ edits: Value, from old: [UInt8], to new: [UInt8]
  ) throws(BrokenLaw) -> [LineEdit] {
    let made = try ObviousText(old).applying(edits: edits)
    guard made.text == new else {
      throw BrokenLaw(words: "the edits do not lead to the new text")
    }
    return made.edits
  }
}

extension ListService {
  /// Checks what a request has told, in every format.
  ///
  /// - Throws: -32603 with both snapshots where an answer breaks a law.
  mutating func checkTold() throws(Failure) {
    for (place, told) in selfCheck.told.enumerated() {
      // Nobody has the text of a list that is edited in a tree.
      let text =
        told.edits == nil ? textChange(told.change, from: told.old, to: told.new) : nil
      for format in Format.allCases where format != .none {
        if format == .textEdits, text == nil { continue }
        let answer = answer(told, in: format, text)
        do throws(BrokenLaw) {
          if format == .textEdits, let text {
            try SelfCheck.check(answer, from: text.old.bytes, to: text.new.bytes)
          } else if let counts = try SelfCheck.check(answer, format, from: told.old, to: told.new) {
            selfCheck.note(counts, at: place)
          }
        } catch {
          throw .brokenLaw(error, format, told, answer)
        }
      }
    }
  }

  /// A change in a format, with all contents.
  private mutating func answer(
    _ told: SelfCheck.Told, in format: Format, _ text: TextChange?
  ) -> Value {
    var out = ByteBuffer()
    // The members that tell a change have commas before them.
    out.append("{\"told\":true")
    let telling = Telling(
      Subscription.Form(format: format, content: true, singleLine: singleLine))
    append(
      told.change, from: told.old, to: told.new, edits: told.edits, telling, text, to: &out)
    out.append("}")
    let message = out.shared()
    let value = Value(message: message, range: 0..<message.count, pointer: "")
    guard let answer = value.members?.last(where: { $0.name == format.rawValue })?.value else {
      preconditionFailure("a format that is not told")
    }
    return answer
  }
}

extension Failure {
  /// An answer that would have been wrong, with what it was to lead from and to.
  static func brokenLaw(
    _ law: BrokenLaw, _ format: Format, _ told: SelfCheck.Told, _ answer: Value
  ) -> Failure {
    var data = FailureData()
    data.add("law", law.words)
    data.add("format", format.rawValue)
    for (name, snapshot) in [("old" as StaticString, told.old), ("new", told.new)] {
      data.add(name) { buffer in
        buffer.append("{\"sections\":")
        SnapshotWriter(snapshot: snapshot, singleLine: true).appendSections(to: &buffer)
        buffer.append("}")
      }
    }
    data.add("answer") { buffer in buffer.append(json: answer.bytes, singleLine: true) }
    return Failure(
      .internalError, "an answer was wrong and is not sent: \(law.words)", data: data.bytes)
  }
}
