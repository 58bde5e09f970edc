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

  /// What an answer in a format makes of a list is what it has become.
  static func check(
    _ answer: SharedBytes, _ format: Format, from old: Snapshot, to new: Snapshot
  ) throws(BrokenLaw) {
    let value = Value(message: answer, range: 0..<answer.count, pointer: "")
    var list = ObviousList(old)
    switch format {
    case .stages: try list.apply(stages: value)
    case .none: return
    }
    guard list == ObviousList(new) else {
      throw BrokenLaw(words: "the answer does not lead to the new snapshot")
    }
  }
}

extension ListService {
  /// Checks what a request has told, in every format.
  ///
  /// - Throws: -32603 with both snapshots where an answer breaks a law.
  package mutating func checkTold() throws(Failure) {
    defer { selfCheck.forget() }
    for told in selfCheck.told {
      for format in Format.allCases where format != .none {
        let answer = entries(of: told, in: format)
        do throws(BrokenLaw) {
          try SelfCheck.check(answer, format, from: told.old, to: told.new)
        } catch {
          throw .brokenLaw(error, format, told, answer)
        }
      }
    }
  }

  /// A change in a format, with all contents.
  private func entries(of told: SelfCheck.Told, in format: Format) -> SharedBytes {
    var text = ByteBuffer()
    switch format {
    case .stages:
      StagesWriter(
        stages: told.change.stages,
        contents: SnapshotWriter(snapshot: told.new, singleLine: singleLine)
      ).append(to: &text)
    case .none: text.append("[]")
    }
    return text.shared()
  }
}

extension Failure {
  /// An answer that would have been wrong, with what it was to lead from and to.
  static func brokenLaw(
    _ law: BrokenLaw, _ format: Format, _ told: SelfCheck.Told, _ answer: SharedBytes
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
    data.add("answer") { buffer in answer.withBytes { buffer.append(json: $0, singleLine: true) } }
    return Failure(
      .internalError, "an answer was wrong and is not sent: \(law.words)", data: data.bytes)
  }
}
