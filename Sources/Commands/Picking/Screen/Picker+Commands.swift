import ByteBuffers
import Terminals

extension Picker {
  /// Whether there is a preview on the screen.
  var isPreviewShown: Bool { areas.preview != nil }

  /// The text that is shown of a line.
  func plainText(of line: Int) -> ArraySlice<UInt8> { options.form.text(of: bytes(of: line)).bytes }

  /// The text of a line in commands: the whole line, without escape sequences of colours.
  private func commandText(of line: Int) -> ArraySlice<UInt8> {
    let bytes = bytes(of: line)
    return options.form.readsColors ? StyledLine.read(bytes).text[...] : bytes
  }

  func placeholders() -> Placeholders {
    func line(_ number: Int) -> Placeholders.Line {
      Placeholders.Line(text: commandText(of: number), number: number)
    }
    let current = currentLine.map { line($0) }
    let marked = marks.lines.map { line($0) }
    return Placeholders(
      query: field.text, current: current,
      marked: marked.isEmpty ? current.map { [$0] } ?? [] : marked,
      delimiter: options.form.delimiter)
  }

  /// The command of a template; nil if it cannot be made.
  func command(_ template: String) -> String? {
    do throws(CommandProblem) { return try placeholders().replace(template) } catch {
      problem = error.words
      return nil
    }
  }

  /// Sets the variables that commands read.
  func setVariables() {
    let area = areas.preview.map { options.previewWindow.border.inside($0) }
    let values: [(String, String)] = [
      ("FZF_QUERY", field.text), ("FZF_PROMPT", options.prompt),
      ("FZF_MATCH_COUNT", "\(result?.count ?? 0)"), ("FZF_TOTAL_COUNT", "\(total)"),
      ("FZF_SELECT_COUNT", "\(marks.count)"), ("FZF_POS", "\(cursor + 1)"),
      ("FZF_LINES", "\(screen.size.height)"), ("FZF_COLUMNS", "\(screen.size.width)"),
      ("FZF_ACTION", lastAction),
      ("FZF_IDLE_TIME", "\(lastInput.duration(to: .now).components.seconds)"),
      ("FZF_PREVIEW_LINES", "\(area?.height ?? 0)"), ("FZF_PREVIEW_COLUMNS", "\(area?.width ?? 0)"),
    ]
    for (name, value) in values { setenv(name, value, 1) }
  }

  /// The number of lines that can match.
  var total: Int { search.total }

  /// Runs a command with the terminal, and waits for its end.
  func run(_ template: String, isSilent: Bool) {
    guard let command = command(template) else { return }
    setVariables()
    screen.run(command, isSilent: isSilent)
    cache.removeAll()
  }

  /// Runs a command, and returns its output without the last line end.
  func capture(_ template: String) -> String? {
    guard let command = command(template), let pipe = try? Pipe() else { return nil }
    setVariables()
    let process = System.start(
      System.shell + [command], output: pipe.writing, errors: nil)
    _ = System.closeFile(pipe.takeWriting())
    var bytes: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 16) { buffer in
      while bytes.count < 1 << 20 {
        let count = Descriptor(number: pipe.reading).read(into: buffer)
        guard count > 0 else { break }
        bytes += buffer.prefix(count)
      }
    }
    _ = System.closeFile(pipe.reading)
    System.wait(for: process)
    if bytes.last == 0x0A { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension System {
  /// Stops this process and those of its pipeline, as Ctrl-Z does.
  static func stopGroup() { kill(0, SIGTSTP) }
}
