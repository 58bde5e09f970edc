import ByteBuffers
import JSONBytes

/// The rows of a file, each with its key.
struct RecordTable {
  /// The syntax of rows.
  enum Form: Equatable {
    case json
    case delimited(by: UInt8)
    case columns
  }

  private(set) var name: String
  let form: Form

  /// The bytes that rows are ranges of: the file, followed by extracts from the text around its
  /// rows.
  private(set) var content: SharedBytes

  /// The rows.
  private(set) var rows = CompactRanges()

  /// The key of each row. Equal keys have equal bytes.
  private(set) var keys: SharedBytes
  private(set) var keyRanges = ConsecutiveRanges()

  /// Whether the first row stands for the text around the other rows and has no number.
  private(set) var hasPreface = false

  /// What the reader noticed, as a message for people.
  var note: String?

  /// What separates the columns of lines; nil if blanks do.
  var separator: UInt8?

  /// The names of the columns of delimited text or of lines.
  var columns: [String] = []

  /// The paths of members, or the columns, that form keys; empty if the whole row is the key.
  var keyFields: [String] = []
  var keyColumns: [Int] = []

  /// The path of the member whose elements or members are the rows; nil if it is not known.
  var rowsMember: String?

  /// The names of the members that are rows, if they identify the rows.
  var names: [String] = []

  /// The first row of each section, followed by the number of rows; and the own members of each
  /// section.
  var sectionStarts: [Int32] = []
  var sections: [Range<Int>] = []
  var sectionKeys: [[UInt8]] = []

  /// Creates a table without rows.
  init(_ file: ComparedFile, _ form: Form) {
    name = file.name
    content = file.content
    self.form = form
    keys = SharedBytes(copying: EmptyCollection<UInt8>())
  }

  /// The same rows of another file.
  func named(_ name: String) -> RecordTable {
    var table = self
    table.name = name
    return table
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: content.bytes[range])
  }

  func key(ofRow row: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: keys.bytes[keyRanges[row]])
  }

  /// The rows and keys of a table while it is read.
  struct Builder: ~Copyable {
    var rows = CompactRanges()
    var keys = ByteBuffer()
    var keyRanges = ConsecutiveRanges()

    /// Bytes to append to the file's content.
    var extra = ByteBuffer()

    /// Reads rows of JSON and finds the members that form their keys: those of the row that was
    /// read last.
    let keySearch: MemberSearch
    var keyValues: [Range<Int>?] = []

    /// The index and the offset of the first row without a key, and the index of the key member.
    var missing: (row: Int, offset: Int, field: Int)?

    private var canonical = JSONCanonical()

    init(_ keyFields: [String] = []) { keySearch = MemberSearch(keyFields) }

    mutating func reserveCapacity(_ count: Int) {
      rows.reserveCapacity(count)
      keyRanges.reserveCapacity(count)
    }

    /// Appends a JSON value to the key of the next row.
    mutating func append(jsonKey value: UnsafeRawBufferPointer) {
      if value.first == 0x22, Bytes.firstIndex(of: 0x5C, in: value, from: 0) == nil {
        keys.append(value)
      } else if let first = value.first, first &- 0x30 < 10 || first == 0x2D {
        JSONNumber(value).appendCanonical(to: &keys)
      } else {
        canonical.append(value, to: &keys)
      }
    }

    /// Adds a row. Its key was appended to `keys` after those of the other rows.
    mutating func add(_ row: Range<Int>) {
      rows.append(row)
      keyRanges.append(upTo: keys.count)
    }

    /// Appends the key of a row that is identified by its whole text.
    mutating func append(keyOfText text: UnsafeRawBufferPointer) {
      endKeyPart()
      keys.append(text)
      keys.append(Self.endOfText)
    }

    /// The last byte of such a key. Other keys of text end with a NUL.
    static let endOfText: UInt8 = 0x0A

    /// Ends a part of a key. Text never contains a NUL.
    mutating func endKeyPart() { keys.append(0) }
  }

  /// Replaces the rows and keys.
  mutating func set(_ builder: consuming Builder, hasPreface: Bool = false) {
    rows = builder.rows
    keyRanges = builder.keyRanges
    self.hasPreface = hasPreface
    if !builder.extra.isEmpty {
      var extended = ByteBuffer(capacity: content.count + builder.extra.count)
      content.withBytes { extended.append($0) }
      extended.append(contentsOf: builder.extra)
      content = extended.shared()
    }
    keys = builder.keys.shared()
  }

  func failure(_ words: String) -> ComparisonFailure { ComparisonFailure("\(name): \(words)") }
}
