import ByteBuffers
import Commands
import Folders
import ListProtocol
import Synchronization

/// The files of a folder: read at once or when they are wanted, and again when they change.
final class FolderProducer: FeedProducer, @unchecked Sendable {
  private let path: [UInt8]
  private let watches: Bool
  private let options: FolderTree.Options
  private var watch: FolderWatch?
  private var tree: FolderTree
  private var isFirst = true
  private var hasReported = false

  /// The request whose answer was not awaited yet, and the number of edits of the folder before it.
  private var sent: (request: FeedMailbox.Request, edits: Int)?

  /// The number of edits of the folder, and the last one until it is kept or undone.
  private var edits = 0
  private var edited: FolderEditing?

  /// When the changes so far are sent, and when all is read again if not all changes are notified.
  private var nextSending = MonotonicTime.now
  private var nextReading = MonotonicTime.now

  /// Why changes were refused, as a message for people.
  private var refusal: String?

  /// The identifiers of the folders that outlines have expanded. Any thread sets it.
  private let wanted = Mutex<Set<String>>([])

  /// While the folder is read for the first time, rows are sent after each of these times.
  private static let patience = Duration.milliseconds(50)

  /// The time in which changes are collected, and that between two readings if changes are not notified.
  private static let settling = Duration.milliseconds(20)
  private static let interval = Duration.seconds(2)

  /// The time between two such readings, in multiples of the time of one.
  private static let share = 20

  /// An edit has about as many items.
  private static let longEdit = 10_000

  /// Opens the folder.
  ///
  /// - Throws: If that fails.
  init(
    _ folder: FeedFolder, _ source: FeedSource, _ link: FeedLink
  ) throws(FeedProcess.Problem) {
    var path = Array(folder.path.utf8)
    while path.count > 1, path.last == 0x2F { path.removeLast() }
    self.path = path
    watches = folder.watches
    var options = FolderTree.Options(
      levels: folder.levels, isLazy: folder.isLazy, showsHidden: folder.showsHidden,
      showsIgnored: folder.showsIgnored)
    (options.hasTemplates, options.keepsNames) = (folder.hasTemplates, folder.keepsNames)
    self.options = options
    watch = folder.watches ? FolderWatch() : nil
    let number = System.openFolder(path)
    if number >= 0 { close(number) }
    guard number >= 0, let facts = Self.facts(of: path) else {
      throw FeedProcess.Problem(words: "cannot read \(folder.path): \(Descriptor.problem)")
    }
    tree = FolderTree(path, facts, options, .system(watch))
    try super.init(source, link)
  }

  /// Returns what is known about the folder; `nil` and sets `errno` if there is none.
  private static func facts(of path: [UInt8]) -> FileFacts? {
    guard let facts = System.facts(path, in: AT_FDCWD, followsLink: true) else { return nil }
    if facts.kind == .folder { return facts }
    errno = ENOTDIR
    return nil
  }

  /// Sets the folders that are expanded.
  override func expand(_ folders: Set<String>) {
    wanted.withLock { $0 = folders }
    wake()
  }

  /// Edits the folder in a turn that lasts until `finishEdit`. What was not sent yet is sent with the answer.
  override func edit(_ edit: FolderEdit) -> SharedBytes? {
    link.turn.begin()
    let plan = FolderPlan(edit, of: tree)
    if edit.isDryRun {
      defer { link.turn.end() }
      return FolderEditing.message(about: plan, link.list)
    }
    edits += 1
    isFirst = false
    switch link.mailbox.withdraw(link.number) {
    case .done: tree.confirmSent()
    case .failed(let code, _) where !Failure.isOfJournal(code): tree.confirmSent()
    default: tree.restoreUnsent()
    }
    var editing = FolderEditing(plan)
    if editing.perform() {
      edited = editing
      return editing.message(link.list)
    }
    link.turn.end()
    // What has been read meanwhile is sent.
    wake()
    return editing.message(link.list)
  }

  override func finishEdit(keeps: Bool) {
    edited?.finish(keeps: keeps)
    edited = nil
    link.turn.end()
  }

  override func run() throws(Ended) {
    while true {
      try readAll()
      try followChanges()
      try sendNothing()
      try awaitFolder()
    }
  }

  /// Reads all that is to be in the list.
  private func readAll() throws(Ended) {
    tree.wanted = wanted.withLock { $0 }
    let start = MonotonicTime.now
    try read()
    if !tree.unfinished.isEmpty, UnfinishedEdit.finish(tree.unfinished, in: tree.absolutePath) {
      try read()
    }
    try sendChanges()
    try reportTree()
    nextReading = .now.advanced(by: max(Self.interval, start.duration(to: .now) * Self.share))
  }

  /// Reports how much of the folder the list has, if that has changed.
  private func reportTree() throws(Ended) {
    let before = state
    state.error = refusal ?? tree.problem
    state.isStale = tree.hasUnwatched
    if before != state || !hasReported { try report() }
    hasReported = true
  }

  /// Reads the folder, and sends items meanwhile.
  private func read() throws(Ended) {
    try tree.read(tree.root) { () throws(Ended) in
      guard nextSending <= .now || tree.changeCount >= Self.longEdit else { return }
      // The list follows while the folder is read.
      try finishSending()
      beginSending()
      nextSending = .now.advanced(by: Self.patience)
    }
  }

  /// Sends what has changed, until the folder is no longer at its path.
  private func followChanges() throws(Ended) {
    while true {
      let polls = watches && (tree.hasUnwatched || watch?.isDetailed == false)
      let ready = try wait(for: [watch?.number ?? -1], until: polls ? nextReading : nil)
      if ready[0] {
        // Changes that belong together arrive together.
        let end = MonotonicTime.now.advanced(by: Self.settling)
        while MonotonicTime.now < end { _ = try wait(for: [], until: end) }
      }
      guard Self.facts(of: path)?.identity == tree.root.facts.identity else { return }
      try lookAtWanted()
      let events = watch?.readEvents() ?? []
      let isLost = FolderWatch.hasLost(events)
      if isLost, !state.isStale {
        state.isStale = true
        try report()
      }
      if isLost || polls && nextReading <= .now {
        try readAll()
      } else {
        try look(at: events)
      }
    }
  }

  /// Looks at what has changed, and sends it.
  private func look(at events: [FolderEvent]) throws(Ended) {
    try tree.look(at: events) { () throws(Ended) in }
    try sendChanges()
    try reportTree()
  }

  /// Reads the folders that were expanded, and gives up those that are not any more.
  private func lookAtWanted() throws(Ended) {
    let now = wanted.withLock { $0 }
    guard now != tree.wanted else { return }
    try tree.want(now) { () throws(Ended) in }
    try sendChanges()
  }

  /// Sends what has changed in the tree.
  private func sendChanges() throws(Ended) {
    try finishSending()
    while tree.hasChanges || isFirst {
      beginSending()
      try finishSending()
    }
  }

  /// Sends what has changed in the tree, but not more than an edit may have.
  private func beginSending() {
    guard tree.hasChanges || isFirst else { return }
    let (deleted, changed) = tree.takeChanges(limit: Self.longEdit)
    // Files may have been removed before they were sent.
    guard !deleted.isEmpty || !changed.isEmpty || isFirst else { return }
    var items = ByteBuffer()
    tree.append(changed, to: &items)
    let request: FeedMailbox.Request
    if isFirst {
      var content = ByteBuffer()
      content.append("\"items\":[")
      content.append(contentsOf: items)
      content.append("]")
      request = link.replacing(content)
    } else {
      request = link.changing(deleting: deleted, putting: items)
    }
    sent = (request, edits)
    link.mailbox.post(request)
  }

  /// Waits until what was sent is in the list.
  private func finishSending() throws(Ended) {
    guard let (request, turn) = sent else { return }
    sent = nil
    var isPosted = true
    let answer = try send {
      if isPosted {
        isPosted = false
        return link.mailbox.awaitAnswer(to: request, link.turn)
      }
      // An edit of the folder has taken over the changes while they waited.
      return turn == edits ? link.ask(request) : .withdrawn
    }
    guard turn == edits else { return }
    isFirst = false
    tree.confirmSent()
    guard case .failed(_, let words) = answer else { return }
    refusal = words
    try reportTree()
  }

  /// Empties the list, because the folder has vanished.
  private func sendNothing() throws(Ended) {
    let isMissing = Self.facts(of: path) == nil
    let why = Descriptor.problem
    tree.giveUp(tree.root)
    try sendChanges()
    guard isMissing else { return }
    state.error = "cannot read \(String(decoding: path, as: UTF8.self)): \(why)"
    try report()
  }

  /// Waits until a folder is at the path.
  private func awaitFolder() throws(Ended) {
    while true {
      if let facts = Self.facts(of: path) {
        watch = watches ? FolderWatch() : nil
        tree = FolderTree(path, facts, options, .system(watch))
        return
      }
      _ = try wait(for: [], until: .now.advanced(by: Self.interval))
    }
  }
}
