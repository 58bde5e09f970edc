import ByteBuffers

/// A running command of git that prints fields with a NUL after each. It ends with this value.
final class GitProcess {
  private let process: pid_t
  private let questions: Descriptor?
  private let answers: Descriptor

  /// Starts a command; returns nil if that fails.
  init?(_ words: [String], asks: Bool = false) {
    guard let output = try? Pipe() else { return nil }
    let input = asks ? try? Pipe() : nil
    let process = System.start(
      ["git"] + words, input: input?.reading, output: output.writing, errors: nil)
    close(output.takeWriting())
    questions = (input?.takeWriting()).map { Descriptor(number: $0) }
    input?.end()
    answers = Descriptor(number: output.reading)
    self.process = process ?? 0
    if process == nil { return nil }
  }

  deinit {
    if let questions { close(questions.number) }
    close(answers.number)
    var status: Int32 = 0
    while process > 0, waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Writes to the command's standard input.
  func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { questions?.write(UnsafeRawBufferPointer($0)) ?? false }
  }

  /// Reads until there are `count` fields or the command has ended.
  func read(fields count: Int = .max) -> [String] {
    var buffer = ByteBuffer()
    while true {
      let more = buffer.withTail(minimum: 1 << 12) { max(0, answers.read(into: $0)) }
      let fields = buffer.withUnsafeBytes { bytes in
        bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
          .map { String(decoding: $0, as: UTF8.self) }
      }
      if more == 0 || fields.count >= count { return fields }
    }
  }
}
