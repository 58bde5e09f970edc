import ByteBuffers
import Commands
import JSONRPC
import ListServer

/// Answers a client on standard input and output from a record, as `listd replay --serve` does.
struct RecordServer: ~Copyable {
  private var record: ServedRecord
  private var reader: FrameReader
  private let path: String

  /// Creates a server of the record that was read from a path.
  init(_ record: RecordedSession, _ options: Options, path: String) {
    self.record = ServedRecord(record)
    self.path = path
    reader = FrameReader(framing: options.framing, limit: options.session.maxMessageBytes)
  }

  /// Serves the client until it ends or sends something else than the record has; returns the exit code.
  mutating func run() throws(CommandProblem) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    while !record.isOver {
      var isRead = true
      let count = reader.withTail { tail in
        let count = Descriptor.input.read(into: tail)
        isRead = count >= 0
        return max(0, count)
      }
      guard isRead else {
        throw CommandProblem(
          words: "cannot read standard input: \(Descriptor.problem)", exitCode: 1)
      }
      while let frame = nextFrame(isAtEnd: count == 0) {
        do throws(ServedRecord.Difference) {
          let messages = try record.receive(frame)
          answer(messages)
        } catch {
          return report(error)
        }
      }
      if count == 0 { break }
    }
    guard let missing = record.missing else { return 0 }
    return report(missing)
  }

  private mutating func nextFrame(isAtEnd: Bool) -> Frame? {
    isAtEnd ? reader.finish() : reader.next()
  }

  private func answer(_ messages: [SharedBytes]) {
    var outbox = Outbox(framing: reader.framing)
    for message in messages {
      outbox.beginMessage()
      message.withBytes { outbox.buffer.append($0) }
      outbox.endMessage()
    }
    // A client that does not read has ended, which the next read reports.
    _ = outbox.withUnsafeBytes { Descriptor.output.write($0) }
  }

  private func report(_ difference: ServedRecord.Difference) -> Int32 {
    let lines = difference.lines
    Descriptor.report("\(path):\(difference.line): \(lines[0])")
    for line in lines.dropFirst() { Descriptor.report(line) }
    return 1
  }
}
