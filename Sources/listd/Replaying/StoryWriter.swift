import ByteBuffers
import Commands
import ListCompare
import ListServer

/// Selects the turns of a recorded session that a story shows.
struct StoryFilter: Sendable {
  var list: String?
  var id: String?
  var onlyErrors = false

  func includes(_ turn: RecordedStory.Turn) -> Bool {
    if onlyErrors, turn.failure == nil { return false }
    if let id, turn.id != id, turn.id != "\"\(id)\"" { return false }
    guard let list else { return true }
    return turn.list == list || turn.changes.contains { $0.list == list }
  }
}

/// Writes a recorded session as a story: a line for each request, and below it what it changed.
struct StoryWriter {
  let filter: StoryFilter
  let isColoured: Bool
  let width: Int?

  /// Appends a story. Calls `flush` after each request.
  func append(
    _ story: RecordedStory, to output: inout ByteBuffer, flush: (inout ByteBuffer) -> Void
  ) {
    for turn in story.turns where filter.includes(turn) {
      append(headOf: turn, to: &output)
      for change in turn.changes where filter.list == nil || filter.list == change.list {
        append(change, isOwn: change.list == turn.list, to: &output)
      }
      flush(&output)
    }
  }

  private func append(headOf turn: RecordedStory.Turn, to output: inout ByteBuffer) {
    let time = "\(turn.at) ms"
    var line = String(repeating: " ", count: max(0, 10 - time.count)) + time
    line += "  " + (turn.id.map { "#\($0) " } ?? "") + Self.name(of: turn)
    if let list = turn.list { line += " \(list)" }
    for change in turn.changes where change.list == turn.list {
      line += "  r\(change.oldRevision) → r\(change.newRevision)"
    }
    if let end = turn.answeredAt { line += "  [\(end - turn.at) ms]" }
    append(line: line, "1", to: &output)
    if let failure = turn.failure {
      append(line: "            ✗ \(failure.code) \(failure.message)", "31", to: &output)
    }
  }

  private static func name(of turn: RecordedStory.Turn) -> String {
    if !turn.method.isEmpty { return turn.method }
    return turn.message == nil ? "(input that is not a message)" : "(a batch, or not a request)"
  }

  private func append(
    _ change: RecordedStory.Change, isOwn: Bool, to output: inout ByteBuffer
  ) {
    let margin = String(repeating: " ", count: 12)
    if !isOwn {
      append(
        line: "\(margin)\(change.list)  r\(change.oldRevision) → r\(change.newRevision)", "1",
        to: &output)
    }
    var options = ComparisonOptions()
    options.input = .snapshot
    options.context = 1
    do throws(ComparisonFailure) {
      let comparison = try Comparison(
        ComparedFile(name: change.list, content: change.old),
        ComparedFile(name: change.list, content: change.new), options)
      var canvas = TextCanvas(
        isColoured: isColoured, width: width, digits: comparison.digits, indent: margin)
      comparison.draw(on: &canvas, named: nil) { canvas in
        output.append(contentsOf: canvas.output)
        canvas.output.removeAll()
      }
    } catch {
      append(line: margin + error.words, "31", to: &output)
    }
  }

  private func append(line: String, _ codes: String, to output: inout ByteBuffer) {
    var canvas = TextCanvas(isColoured: isColoured, width: width, digits: 2)
    canvas.draw(line: line, codes)
    output.append(contentsOf: canvas.output)
  }
}
