import ByteBuffers
import Synchronization

/// The files of a folder and of those below it, each with a number.
///
/// A million files need about 80 MB: a file is a record of 40 bytes, a name, and numbers in two tables. Those that were
/// removed keep their records, because their identifiers stay theirs.
package final class FolderNodes {
  /// What is kept of a file.
  package struct Record {
    fileprivate var number: UInt64
    fileprivate var size: Int
    fileprivate var modified: Int
    fileprivate var created: UInt32
    fileprivate var parent: UInt32
    fileprivate var name: UInt32

    /// The flags in the lowest byte, and above them the index of the device.
    private var flagsAndDevice: UInt32

    fileprivate init(
      _ facts: FileFacts, device: Int, parent: UInt32, name: UInt32, _ flags: Flags
    ) {
      (number, created) = (facts.identity.number, facts.identity.created)
      (size, modified, self.parent, self.name) = (facts.size, facts.modified, parent, name)
      flagsAndDevice = UInt32(flags.rawValue)
      (kind, self.device) = (facts.kind, device)
    }

    package var flags: Flags {
      get { Flags(rawValue: UInt8(truncatingIfNeeded: flagsAndDevice)) }
      set { flagsAndDevice = flagsAndDevice & ~0xFF | UInt32(newValue.rawValue) }
    }

    package fileprivate(set) var kind: FileFacts.Kind {
      get { flags.contains(.isFolder) ? .folder : flags.contains(.isLink) ? .link : .file }
      set {
        flags.subtract([.isFolder, .isLink])
        if newValue != .file { flags.insert(newValue == .folder ? .isFolder : .isLink) }
      }
    }

    fileprivate var device: Int {
      get { Int(flagsAndDevice >> 8) }
      set { flagsAndDevice = UInt32(newValue) << 8 | flagsAndDevice & 0xFF }
    }
  }

  /// What is known of a file besides its facts.
  package struct Flags: OptionSet {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The file was not removed.
    static let isPresent = Flags(rawValue: 1)

    /// The list has the item.
    static let isSent = Flags(rawValue: 2)

    /// The item is to be added or updated.
    static let hasChanged = Flags(rawValue: 4)

    /// It is a link to a folder.
    static let leadsToFolder = Flags(rawValue: 8)

    /// It has several names, and was found in the present pass through the files.
    fileprivate static let isFound = Flags(rawValue: 64)

    /// What kind of file it is, unless it is another one.
    fileprivate static let isFolder = Flags(rawValue: 16)
    fileprivate static let isLink = Flags(rawValue: 32)

    /// Those that depend only on the file.
    fileprivate static let kinds: Flags = [.isFolder, .isLink]
  }

  /// What is kept of a folder that is read or watched.
  package final class Content {
    /// The files in the folder by their names; `nil` if it was not read.
    @exclusivity(unchecked) fileprivate(set) var children: NumberTable?

    /// The watch of a folder that is watched; -1 otherwise.
    var watch: Int32 = -1

    /// The rules for the files of the folder.
    var rules: IgnoreRules?

    /// Lets the folder have no files that were read.
    func begin() { if children == nil { children = NumberTable() } }

    /// Forgets the files of the folder.
    func end() { children = nil }
  }

  /// The number of the topmost folder, and that of no file.
  package static let root: UInt32 = 0
  private static let none = UInt32.max

  // No function that has access to one of these calls another one that changes it.

  /// The records in blocks, and the identifier, as a number, of the first one in each.
  @exclusivity(unchecked) private var blocks: [[Record]] = []
  @exclusivity(unchecked) private var firstIDs: [Int] = []
  private static let blockSize = 1 << 12

  @exclusivity(unchecked) private var names = FileNames()

  /// The numbers of devices.
  @exclusivity(unchecked) private var devices: [UInt64] = []

  /// The files by what identifies them: several if a file has several names.
  @exclusivity(unchecked) private var identities = NumberTable()

  private var contents: [UInt32: Content] = [:]

  /// The targets of links.
  private var targets: [UInt32: [UInt8]] = [:]

  /// The last identifier that a file may have got, as a number.
  private static let lastID = Atomic(0)

  /// The files that have been flagged as found.
  @exclusivity(unchecked) private var found: [UInt32] = []

  init(root facts: FileFacts) {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    _ = add(nothing, in: Self.none, facts)
  }

  /// What is kept of the file with a number.
  package subscript(file: UInt32) -> Record {
    get { blocks[Int(file) / Self.blockSize][Int(file) % Self.blockSize] }
    set { blocks[Int(file) / Self.blockSize][Int(file) % Self.blockSize] = newValue }
  }

  /// The file with an identifier; `nil` if it is not present, or the topmost folder.
  package subscript(id: String) -> FolderNode? {
    guard let number = Int(id.dropFirst()), id == "f\(number)" else { return nil }
    var (low, high) = (0, firstIDs.count)
    while low < high {
      let middle = (low + high) / 2
      if firstIDs[middle] <= number { low = middle + 1 } else { high = middle }
    }
    guard low > 0, number - firstIDs[low - 1] < blocks[low - 1].count else { return nil }
    let file = UInt32((low - 1) * Self.blockSize + number - firstIDs[low - 1])
    guard file != Self.root, self[file].flags.contains(.isPresent) else { return nil }
    return node(file)
  }

  /// The files that are present, without the topmost folder.
  package var values: some Sequence<FolderNode> {
    let count = blocks.reduce(0) { $0 + $1.count }
    return (1..<UInt32(count)).lazy
      .filter { [self] file in self[file].flags.contains(.isPresent) }
      .map { [self] file in node(file) }
  }

  /// Returns a file with what it is in.
  package func node(_ file: UInt32) -> FolderNode { FolderNode(nodes: self, file: file) }

  /// The identifier of a file, as a number.
  func id(of file: UInt32) -> Int {
    firstIDs[Int(file) / Self.blockSize] + Int(file) % Self.blockSize
  }

  /// Returns the folder that a file is in; `nil` if it is the topmost one, or in a folder that is unknown.
  package func parent(of file: UInt32) -> UInt32? {
    let parent = self[file].parent
    return parent == Self.none ? nil : parent
  }

  /// Returns what the system said of a file when it was looked at last.
  package func facts(of file: UInt32) -> FileFacts {
    let record = self[file]
    return FileFacts(
      kind: record.kind, size: record.size, modified: record.modified,
      identity: FileIdentity(
        device: devices[record.device], number: record.number, created: record.created))
  }

  /// Sets what is known about a file, whose identity stays. Returns false if nothing has changed.
  @discardableResult
  func set(_ facts: FileFacts, of file: UInt32) -> Bool {
    noteFound(facts, file)
    return setContent(facts, of: file)
  }

  /// Sets what is known about the content of a file, which was not looked at by this name.
  func setContent(_ facts: FileFacts, of file: UInt32) -> Bool {
    let isNew = (self[file].size, self[file].modified) != (facts.size, facts.modified)
    (self[file].size, self[file].modified) = (facts.size, facts.modified)
    return isNew
  }

  /// Begins to look at files.
  func beginPass() {
    for file in found { self[file].flags.remove(.isFound) }
    found = []
  }

  private func noteFound(_ facts: FileFacts, _ file: UInt32) {
    guard facts.names > 1, !self[file].flags.contains(.isFound) else { return }
    self[file].flags.insert(.isFound)
    found.append(file)
  }

  /// Whether a file with several names was found in the present pass.
  func isFound(_ file: UInt32) -> Bool { self[file].flags.contains(.isFound) }

  /// Calls `body` with the bytes of a file's name.
  func withName<R>(of file: UInt32, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    names.with(self[file].name, body)
  }

  /// Where a link leads; `nil` if that is unknown.
  func target(of file: UInt32) -> [UInt8]? { targets[file] }

  /// Sets the target of a link. Returns false if nothing has changed.
  func setTarget(_ target: [UInt8]?, leadsToFolder: Bool, of file: UInt32) -> Bool {
    var flags = self[file].flags.subtracting(.leadsToFolder)
    if leadsToFolder { flags.insert(.leadsToFolder) }
    guard flags != self[file].flags || target != targets[file] else { return false }
    self[file].flags = flags
    targets[file] = target
    return true
  }

  /// What is kept of a folder; `nil` if it is neither read nor watched.
  func content(of folder: UInt32) -> Content? { contents[folder] }

  /// Returns what is kept of a folder that is going to be read.
  func makeContent(of folder: UInt32) -> Content {
    if let content = contents[folder] { return content }
    let content = Content()
    contents[folder] = content
    return content
  }

  /// Adds a file, which is not in its folder yet.
  func add(_ name: UnsafeRawBufferPointer, in folder: UInt32, _ facts: FileFacts) -> UInt32 {
    if blocks.last.map({ $0.count == Self.blockSize }) ?? true {
      var block: [Record] = []
      if !blocks.isEmpty { block.reserveCapacity(Self.blockSize) }
      blocks.append(block)
      firstIDs.append(Self.lastID.add(Self.blockSize, ordering: .relaxed).oldValue)
    }
    let last = blocks.count - 1
    let file = UInt32(last * Self.blockSize + blocks[last].count)
    let identity = facts.identity
    blocks[last].append(
      Record(
        facts, device: index(ofDevice: identity.device), parent: folder, name: names.add(name),
        .isPresent))
    noteFound(facts, file)
    guard file != Self.root else { return file }
    // All files are in the table, and fastest read in order.
    if identities.isFull {
      identities.grow(1..<file) { Self.hash(self.facts(of: $0).identity) }
    }
    identities.insert(file, Self.hash(identity))
    return file
  }

  private func index(ofDevice device: UInt64) -> Int {
    // Files of one device follow one another.
    if let index = devices.lastIndex(of: device) { return index }
    devices.append(device)
    return devices.count - 1
  }

  /// Lets a file that was removed be present again.
  func restore(
    _ file: UInt32, _ name: UnsafeRawBufferPointer, in folder: UInt32, _ facts: FileFacts
  ) {
    set(facts, of: file)
    self[file].flags = .isPresent
    self[file].kind = facts.kind
    self[file].parent = folder
    self[file].name = names.add(name)
  }

  /// Sets what identifies a file.
  func identify(_ file: UInt32, as identity: FileIdentity) {
    identities.remove(file, Self.hash(facts(of: file).identity)) {
      Self.hash(self.facts(of: $0).identity)
    }
    (self[file].number, self[file].created) = (identity.number, identity.created)
    self[file].device = index(ofDevice: identity.device)
    identities.insert(file, Self.hash(identity))
  }

  /// Records that a file was removed.
  func remove(_ file: UInt32) {
    self[file].flags.formIntersection(.kinds)
    contents[file] = nil
    if self[file].kind == .link { targets[file] = nil }
    names.release(self[file].name)
    if names.isMostlyReleased { moveNames() }
  }

  /// Gives a file another name and folder, `nil` if that is unknown. It is in neither.
  func rename(_ file: UInt32, _ name: UnsafeRawBufferPointer, in folder: UInt32?) {
    names.release(self[file].name)
    self[file].name = names.add(name)
    self[file].parent = folder ?? Self.none
    if names.isMostlyReleased { moveNames() }
  }

  private func moveNames() {
    var new = FileNames()
    for block in blocks.indices {
      for index in blocks[block].indices where blocks[block][index].flags.contains(.isPresent) {
        blocks[block][index].name = names.with(blocks[block][index].name) { new.add($0) }
      }
    }
    names = new
  }
}

extension FolderNodes {
  /// Returns the first file that matches, of those that are or were identified by an identity.
  func first(
    _ identity: FileIdentity, where matches: (UInt32, _ isPresent: Bool) -> Bool
  ) -> UInt32? {
    identities.first(Self.hash(identity)) { file in
      let record = self[file]
      return record.number == identity.number && record.created == identity.created
        && devices[record.device] == identity.device
        && matches(file, record.flags.contains(.isPresent))
    }
  }

  /// Whether a file is found by what identifies it.
  func isIdentified(_ file: UInt32) -> Bool {
    first(facts(of: file).identity) { found, _ in found == file } != nil
  }

  /// Returns the file with a name in a folder.
  func child(_ name: UnsafeRawBufferPointer, in folder: Content) -> UInt32? {
    folder.children?.first(Self.hash(name)) { file in
      withName(of: file) { known in
        Bytes.equal(known, name)
      }
    }
  }

  /// Puts a file into the table of its folder, if that was read.
  func insert(_ file: UInt32, into folder: Content) {
    guard folder.children != nil else { return }
    if folder.children!.isFull {
      folder.children!.grow(Array(folder.children!.numbers)) { hashOfName($0) }
    }
    folder.children!.insert(file, hashOfName(file))
  }

  /// Removes a file from the table of its folder.
  func takeOut(_ file: UInt32) {
    guard let parent = parent(of: file) else { return }
    contents[parent]?.children?.remove(file, hashOfName(file)) { hashOfName($0) }
  }

  private func hashOfName(_ file: UInt32) -> Int { withName(of: file) { Self.hash($0) } }

  private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: name)
    return hasher.finalize()
  }

  private static func hash(_ identity: FileIdentity) -> Int {
    var hasher = Hasher()
    hasher.combine(identity)
    return hasher.finalize()
  }
}
