import JSONBytes
import ListDiff
import ListState

/// Makes told changes again, in every format, by a second and plainer implementation.
package struct SelfCheck {
  /// A change that was told, and what it is between.
  struct Told {
    var old: Snapshot
    var new: Snapshot
    var change: SnapshotChange
  }

  /// Whether answers are checked at all.
  package var isOn = false

  /// What was told since that was last checked.
  private(set) var told: [Told] = []

  /// Notes what is to be checked before it is sent.
  mutating func note(_ change: SnapshotChange, from old: Snapshot, to new: Snapshot) {
    if isOn { told.append(Told(old: old, new: new, change: change)) }
  }

  mutating func forget() { told = [] }

  /// Whether what an answer in a format makes of a list is what it has become.
  static func check(
    _ answer: Value, _ format: Format, from old: Snapshot, to new: Snapshot
  ) throws(BrokenLaw) {
    let isRight: Bool
    switch format {
    case .stages, .ops:
      var list = ObviousList(old)
      if format == .stages { try list.apply(stages: answer) } else { try list.apply(ops: answer) }
      isRight = list == ObviousList(new)
    case .jsonPatch:
      var document = ObviousDocument(old)
      try document.apply(patch: answer)
      isRight = document.isSame(as: ObviousDocument(new))
    case .textEdits, .none: isRight = true
    }
    guard isRight else {
      throw BrokenLaw(words: "the answer does not lead to the new snapshot")
    }
  }

  /// Whether edits make a text of another.
  static func check(_ edits: Value, from old: [UInt8], to new: [UInt8]) throws(BrokenLaw) {
    guard try ObviousText(old).applying(edits: edits) == new else {
      throw BrokenLaw(words: "the edits do not lead to the new text")
    }
  }
}

extension ListService {
  /// Checks what a request has told, in every format.
  ///
  /// - Throws: -32603 with both snapshots where an answer breaks a law.
  package mutating func checkTold() throws(Failure) {
    guard !selfCheck.told.isEmpty else { return }
    // What is rendered here is told nobody, nor what is missing in it.
    let kept = book
    defer {
      selfCheck.forget()
      book = kept
    }
    for told in selfCheck.told {
      let text = textChange(told.change, from: told.old, to: told.new)
      for format in Format.allCases where format != .none {
        let answer = answer(told, in: format, text)
        do throws(BrokenLaw) {
          if format == .textEdits {
            try SelfCheck.check(answer, from: text.old.bytes, to: text.new.bytes)
          } else {
            try SelfCheck.check(answer, format, from: told.old, to: told.new)
          }
        } catch {
          throw .brokenLaw(error, format, told, answer)
        }
      }
    }
  }

  /// A change in a format, with all contents.
  private mutating func answer(
    _ told: SelfCheck.Told, in format: Format, _ text: TextChange
  ) -> Value {
    var out = ByteBuffer()
    // The members that tell a change have commas before them.
    out.append("{\"told\":true")
    let telling = Telling(
      Subscription.Form(format: format, content: true, singleLine: singleLine))
    append(told.change, from: told.old, to: told.new, telling, text, to: &out)
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
