extension Screen {
  /// Runs a command of a shell, with the terminal as its input and output unless it `isSilent`, and waits for
  /// its end.
  mutating func run(_ command: String, isSilent: Bool) {
    guard !isSilent else {
      System.wait(for: System.start(System.shell + [command], output: nil, errors: nil))
      return
    }
    let (input, output) = (keys ?? output, output.number)
    leave {
      System.wait(
        for: System.start(
          System.shell + [command], input: input.number, output: output, errors: output))
    }
  }
}

extension System {
  /// The words of the user's shell that precede a command.
  static var shell: [String] {
    let name = getenv("SHELL").map { String(cString: $0) } ?? ""
    return [name.isEmpty ? "sh" : name, "-c"]
  }

  /// Waits for the end of a process, if there is one.
  static func wait(for process: pid_t?) {
    guard let process else { return }
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }
}
