import JSONBytes

/// The rows of a file, each with its key.
struct RecordTable {
  /// What rows are written in.
  enum Form: Equatable {
    case json
    case delimited(by: UInt8)
    case columns
  }

  let name: String
  let form: Form

  /// The bytes that rows are ranges of: the file, and behind it what was taken from around its rows.
  private(set) var content: SharedBytes

  /// The rows.
  private(set) var rows: [Range<Int>] = []

  /// The key of each row: equal keys are equal bytes.
  private(set) var keys: SharedBytes
  private(set) var keyRanges: [Range<Int>] = []

  /// Whether the first row stands for what is around the other rows, and has no number.
  private(set) var hasPreface = false

  /// The names of the columns of delimited text.
  var columns: [String] = []

  /// The paths of members, or the columns, that keys are made of; none if a key is the whole row.
  var keyFields: [String] = []
  var keyColumns: [Int] = []

  /// The names of the rows that are members of an object, if they are identified by these.
  var names: [String] = []

  /// Where sections begin among the rows, and at the end the number of rows; the own members of
  /// each section.
  var sectionStarts: [Int32] = []
  var sections: [Range<Int>] = []
  var sectionKeys: [[UInt8]] = []

  /// No rows yet.
  init(_ file: ComparedFile, _ form: Form) {
    name = file.name
    content = file.content
    self.form = form
    keys = SharedBytes(copying: EmptyCollection<UInt8>())
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: content.bytes[range])
  }

  func key(ofRow row: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: keys.bytes[keyRanges[row]])
  }

  /// Rows and keys as they are gathered.
  struct Gathering: ~Copyable {
    var rows: [Range<Int>] = []
    var keys = ByteBuffer()
    var keyRanges: [Range<Int>] = []

    /// What is to be behind the bytes of the file.
    var extra = ByteBuffer()

    /// Adds a row whose key was appended to `keys` from `keyStart` on.
    mutating func add(_ row: Range<Int>, keyFrom keyStart: Int) {
      rows.append(row)
      keyRanges.append(keyStart..<keys.count)
    }

    /// Ends one part of a key. No text has a NUL.
    mutating func endKeyPart() { keys.append(0) }
  }

  /// Takes what was gathered over.
  mutating func set(_ gathering: consuming Gathering, hasPreface: Bool = false) {
    rows = gathering.rows
    keyRanges = gathering.keyRanges
    self.hasPreface = hasPreface
    if !gathering.extra.isEmpty {
      var extended = ByteBuffer(capacity: content.count + gathering.extra.count)
      content.withBytes { extended.append($0) }
      extended.append(contentsOf: gathering.extra)
      content = extended.shared()
    }
    keys = gathering.keys.shared()
  }

  func failure(_ words: String) -> ComparisonFailure { ComparisonFailure("\(name): \(words)") }
}
