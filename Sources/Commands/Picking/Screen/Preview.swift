import ByteBuffers
import Terminals

/// The output of the command that describes a line.
struct Preview: ~Copyable {
  /// The running command; 0 if there is none.
  private var process: pid_t = 0
  private var output: Int32 = -1

  /// The lines so far, and what divides the output into them.
  private(set) var lines: [[UInt8]] = []
  private var splitter = LineSplitter(separator: 0x0A)

  /// The lines of the command before, which are shown until there are others.
  private var isOld = false
  private var bytes = 0

  /// The first line that is shown.
  var top = 0

  /// The command that has been run, so that it is not run again.
  private(set) var command: String?

  private static let mostBytes = 1 << 23

  /// The descriptor of the output, and whether more is expected.
  var polled: [Int32] { process > 0 && output >= 0 && bytes < Self.mostBytes ? [output] : [] }

  /// Whether a command runs.
  var isRunning: Bool { process > 0 }

  /// Runs another command, and ends the present one.
  mutating func start(_ command: String, at top: Int) {
    end()
    self.command = command
    self.top = top
    (isOld, bytes) = (true, 0)
    splitter = LineSplitter(separator: 0x0A)
    guard let pipe = try? Pipe() else { return }
    let started = TerminalSignals.startChild(inOwnGroup: true) {
      System.start(
        System.shell + [command], output: pipe.writing, errors: pipe.writing, inOwnGroup: true)
    }
    _ = System.closeFile(pipe.takeWriting())
    guard let started else {
      _ = System.closeFile(pipe.reading)
      lines = [Array("cannot run the command: \(Descriptor.problem)".utf8)]
      return
    }
    _ = fcntl(pipe.reading, F_SETFL, O_NONBLOCK)
    (process, output) = (started, pipe.reading)
  }

  /// Shows nothing.
  mutating func clear() {
    end()
    (command, lines) = (nil, [])
  }

  /// Ends the command.
  mutating func end() {
    guard process > 0 else { return }
    kill(-process, SIGKILL)
    forget()
  }

  /// Closes the output of a command that has ended, or soon will.
  private mutating func forget() {
    _ = System.closeFile(output)
    TerminalSignals.forgetChild(process)
    (process, output) = (0, -1)
  }

  /// Reads what has arrived. Returns whether the lines have changed.
  mutating func read() -> Bool {
    guard process > 0, Waiting.isReady(output) else { return false }
    var hasEnded = false
    var new: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      for _ in 0..<16 {
        let count = System.readBytes(output, buffer)
        if count > 0 {
          new += buffer.prefix(count)
        } else {
          hasEnded = count == 0 || errno != EAGAIN && errno != EINTR
          return
        }
      }
    }
    if isOld, !new.isEmpty || hasEnded { (lines, isOld) = ([], false) }
    bytes += new.count
    add(new.withUnsafeBytes { splitter.add($0) })
    if hasEnded {
      add(splitter.end())
      forget()
    }
    return !new.isEmpty || hasEnded
  }

  private mutating func add(_ chunk: LineChunk?) {
    let clear = Array("\u{1B}[2J".utf8)
    for index in (chunk?.ends ?? []).indices {
      var line = chunk![index]
      if line.last == 0x0D { line.removeLast() }
      // What clears the screen clears the window.
      if line.contains(0x1B),
        let last = line.indices.last(where: { line[$0...].starts(with: clear) })
      {
        lines = []
        line = line[(last + clear.count)...]
      }
      lines.append(Array(line))
    }
  }

  /// Draws the lines in a window.
  mutating func draw(
    _ window: PreviewWindow, in area: ScreenArea, on frame: inout Frame, _ theme: PickTheme,
    label: String
  ) {
    window.border.draw(area, on: &frame, theme, label: label)
    let inside = window.border.inside(area)
    guard inside.width > 0, inside.height > 0 else { return }
    let fixed = min(window.headerLines, lines.count, inside.height)
    let shown = inside.height - fixed
    let most = max(fixed, lines.count - (window.wraps ? 1 : shown))
    if window.follows, isRunning || top > most { top = most }
    top = max(0, min(top, most))
    var y = inside.y
    let rows = Array(lines[..<fixed]) + Array(lines[min(lines.count, max(top, fixed))...])
    for line in rows {
      guard y < inside.y + inside.height else { break }
      let (text, styles) = StyledLine.read(line[...])
      var pieces = StyledText(text[...], styles, tabStop: 8)
      repeat {
        let part = pieces.takePrefix(columns: inside.width)
        part.write(on: &frame, at: inside.x, y, before: inside.x + inside.width)
        y += 1
      } while window.wraps && !pieces.isEmpty && y < inside.y + inside.height
    }
    if window.showsInfo, lines.count > inside.height {
      let info = " \(top + 1)/\(lines.count) "
      let x = inside.x + inside.width - Frame.columns(of: info)
      if x > inside.x { frame.write(info, at: x, inside.y, CellStyle(nil, reversed: true)) }
    }
  }

  /// The number of the line that a window begins with, by its option.
  static func firstLine(_ scroll: String, height: Int) -> Int {
    guard !scroll.isEmpty else { return 0 }
    let parts = scroll.split(separator: "/", maxSplits: 1)
    var (sum, number, sign) = (0, "", 1)
    func add() { sum += sign * (Int(number) ?? 0) }
    for character in parts.first ?? "" {
      if character == "+" || character == "-" {
        add()
        (number, sign) = ("", character == "+" ? 1 : -1)
      } else {
        number.append(character)
      }
    }
    add()
    if parts.count == 2, let part = Int(parts[1]), part > 0 { sum -= height / part }
    return max(0, sum - 1)
  }
}
