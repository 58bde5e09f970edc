import ByteBuffers

/// Reads and writes whole files.
package enum FileContents {
  /// Reads a file.
  ///
  /// - Throws: The system's description of the error if the file cannot be read.
  package static func read(_ path: String) throws(CommandProblem) -> SharedBytes {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else {
      throw CommandProblem(words: "cannot read \(path): \(Descriptor.problem)", exitCode: 1)
    }
    defer { close(number) }
    return try read(Descriptor(number: number), path)
  }

  /// Reads the rest of an open file.
  package static func read(_ descriptor: Descriptor, _ path: String) throws(CommandProblem)
    -> SharedBytes
  {
    var buffer = ByteBuffer()
    while true {
      var failure: String?
      let count = buffer.withTail(minimum: 1 << 16) { tail in
        let count = descriptor.read(into: tail)
        if count < 0 { failure = Descriptor.problem }
        return max(0, count)
      }
      if let failure {
        throw CommandProblem(words: "cannot read \(path): \(failure)", exitCode: 1)
      }
      if count == 0 { return buffer.shared() }
    }
  }

  /// Replaces a file, with mode 0600. If that fails, the old file is kept. Writes to anything else that has
  /// the path, such as a device or a pipe.
  package static func write(_ bytes: [UInt8], to path: String) throws(CommandProblem) {
    let path = resolved(path)
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
      return try write(bytes, intoPresent: path)
    }
    let new = path + ".new"
    let number = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let isWritten = number >= 0 && bytes.withUnsafeBytes { Descriptor(number: number).write($0) }
    let isRenamed = isWritten && rename(new, path) == 0
    let why = Descriptor.problem
    if number >= 0 {
      close(number)
      if !isRenamed { unlink(new) }
    }
    guard isRenamed else {
      throw CommandProblem(words: "cannot rewrite \(path): \(why)", exitCode: 1)
    }
  }

  private static func write(
    _ bytes: [UInt8], intoPresent path: String
  ) throws(CommandProblem) {
    let number = open(path, O_WRONLY | O_CLOEXEC)
    defer { if number >= 0 { close(number) } }
    guard number >= 0, bytes.withUnsafeBytes({ Descriptor(number: number).write($0) }) else {
      throw CommandProblem(words: "cannot write to \(path): \(Descriptor.problem)", exitCode: 1)
    }
  }

  /// Returns the path from the top of the file system to a path of the current folder.
  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : resolved(".") + "/" + path
  }

  /// Resolves symbolic links, so that the file that a link points to is replaced, not the link.
  package static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
