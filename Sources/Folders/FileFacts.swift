/// What the system knows about a file.
package struct FileFacts {
  /// What kind of file it is: all but folders and links are files.
  package enum Kind { case file, folder, link }

  package var kind: Kind
  package var size: Int

  /// The time of the last change of the content, in milliseconds.
  package var modified: Int

  /// What identifies the file as long as it exists.
  package var identity: FileIdentity

  /// The number of its names, if it was just looked at.
  package var names: Int

  package init(kind: Kind, size: Int, modified: Int, identity: FileIdentity, names: Int = 1) {
    (self.kind, self.size, self.modified) = (kind, size, modified)
    (self.identity, self.names) = (identity, names)
  }
}

/// What identifies a file: the numbers of the device and of the file, and a hash of the time of its creation,
/// because numbers are used again. The hash is 0 if the time is not known.
package struct FileIdentity: Hashable {
  package var device: UInt64
  package var number: UInt64
  package var created: UInt32

  package init(device: UInt64, number: UInt64, created: UInt32) {
    (self.device, self.number, self.created) = (device, number, created)
  }

  /// The hash of the time of a file's creation, in nanoseconds.
  package static func hash(ofCreation time: Int) -> UInt32 {
    // Multiplicative, because times are multiples of the interval of a clock.
    let product = UInt64(bitPattern: Int64(time)) &* 0x9E37_79B9_7F4A_7C15
    return max(1, UInt32(truncatingIfNeeded: product >> 32))
  }
}

/// Why the system could not do something with a file.
package struct FileFailure: Error {
  /// The reasons for a failure.
  package enum Kind {
    /// There is no such file.
    case missing
    /// Too much is open, or there is too little memory.
    case limit
    case other
  }

  package var kind: Kind

  /// The system's description.
  package var words: String

  package init(_ kind: Kind, _ words: String) { (self.kind, self.words) = (kind, words) }
}
