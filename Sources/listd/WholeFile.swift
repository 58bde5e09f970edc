import Glibc
import JSONBytes

/// All bytes of a file.
enum WholeFile {
  /// Reads a file.
  ///
  /// - Throws: the words of the system where it cannot be read.
  static func read(_ path: String) throws(Options.Problem) -> SharedBytes {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else {
      throw Options.Problem(words: "cannot read \(path): \(Descriptor.problem)", exitCode: 1)
    }
    defer { close(number) }
    return try read(Descriptor(number: number), path)
  }

  /// Reads what is left of an open file.
  static func read(_ descriptor: Descriptor, _ path: String) throws(Options.Problem) -> SharedBytes
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
        throw Options.Problem(words: "cannot read \(path): \(failure)", exitCode: 1)
      }
      if count == 0 { return buffer.shared() }
    }
  }

  /// Writes a file anew.
  static func write(_ bytes: [UInt8], to path: String) throws(Options.Problem) {
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    defer { if number >= 0 { close(number) } }
    guard number >= 0, bytes.withUnsafeBytes({ Descriptor(number: number).write($0) }) else {
      throw Options.Problem(words: "cannot write \(path): \(Descriptor.problem)", exitCode: 1)
    }
  }
}
