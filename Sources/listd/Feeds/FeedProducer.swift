import ByteBuffers
import Commands
import JSONBytes
import ListCompare
import ListProtocol

/// The connection of a feed to the lists.
struct FeedLink: Sendable {
  let number: Int
  let list: [UInt8]
  let mailbox: FeedMailbox

  /// The members of the section that the feed makes beside its items, each with a comma before it.
  let sectionMembers: [UInt8]

  /// Who uses what the feed has read.
  let turn = FeedMailbox.Turn()

  /// Sends a request, and waits for the answer.
  func ask(_ request: FeedMailbox.Request) -> FeedMailbox.Answer { mailbox.ask(request, turn) }

  /// Makes a request, or a notification if it has no ID. Its parameters have about `size` bytes: the list keeps
  /// the message with the texts of items.
  private func request(
    _ method: StaticString, id: Int? = nil, size: Int = 0, _ params: (inout ByteBuffer) -> Void
  ) -> FeedMailbox.Request {
    var body = ByteBuffer(capacity: size + list.count + 256)
    body.append("{\"jsonrpc\":\"2.0\"")
    if let id { body.append(member: "id", id) }
    body.append(member: "method")
    body.append("\"")
    body.append(method)
    body.append("\",\"params\":{\"list\":")
    list.withUnsafeBytes { body.append(string: $0) }
    params(&body)
    body.append("}}")
    return .init(feed: number, message: body.shared(), changesList: id != nil)
  }

  /// Appends items, which are separated by commas.
  func append(_ items: borrowing ByteBuffer) -> FeedMailbox.Answer {
    ask(
      request("editSnapshot", id: 1, size: items.count) {
        $0.append(",\"format\":\"none\",\"edits\":[{\"edit\":\"appendItems\",\"items\":[")
        $0.append(contentsOf: items)
        $0.append("]}]")
      })
  }

  /// The request that deletes items by their identifiers, and adds or updates others, which are separated by
  /// commas.
  func changing(
    deleting ids: [String], putting items: borrowing ByteBuffer
  ) -> FeedMailbox.Request {
    request("editSnapshot", id: 1, size: items.count + 24 * ids.count) { out in
      out.append(",\"format\":\"none\",\"edits\":[")
      if !ids.isEmpty {
        out.append("{\"edit\":\"deleteItems\"")
        out.append(list: "items", ids.count) { $1.append(string: ids[$0]) }
        out.append("}")
      }
      if !items.isEmpty {
        if !ids.isEmpty { out.append(",") }
        out.append("{\"edit\":\"putItems\",\"items\":[")
        out.append(contentsOf: items)
        out.append("]}")
      }
      out.append("]")
    }
  }

  /// Replaces the content by that of the member `items` or `sections`.
  func replace(_ content: borrowing ByteBuffer) -> FeedMailbox.Answer { ask(replacing(content)) }

  /// The request that replaces the content by that of the member `items` or `sections`.
  func replacing(_ content: borrowing ByteBuffer) -> FeedMailbox.Request {
    // Sections of the content have their own members.
    let makesSection =
      !sectionMembers.isEmpty && content.withUnsafeBytes { $0.starts(with: "\"items\"".utf8) }
    return request("applySnapshot", id: 1, size: content.count) {
      $0.append(",\"format\":\"none\",")
      if makesSection {
        $0.append("\"sections\":[{\"id\":\"main\"")
        $0.append(contentsOf: sectionMembers)
        $0.append(",")
      }
      $0.append(contentsOf: content)
      if makesSection { $0.append("}]") }
    }
  }

  /// Reports the state of the feed. Subscribers are not sent it if it is `quiet`.
  func report(_ state: FeedState, quiet: Bool = false) -> FeedMailbox.Answer {
    ask(
      request("didFeed") {
        $0.append(member: "state")
        state.write(items: nil, to: &$0)
        if quiet { $0.append(member: "format", string: "none") }
      })
  }

  /// Logs lines.
  func log(_ lines: [String]) -> FeedMailbox.Answer {
    ask(
      request("didFeed") { out in
        out.append(list: "lines", lines.count) { $1.append(string: lines[$0]) }
      })
  }
}

/// Reads rows for a feed on a thread of its own, and sends them to the lists.
class FeedProducer: @unchecked Sendable {
  let link: FeedLink
  let source: FeedSource

  /// The pipe whose end of input ends the feed.
  private let stop: (reading: Int32, writing: Int32)

  /// The state that was reported last. Only the thread of the feed uses it.
  var state = FeedState()

  /// Whether the next rows replace all before: these are none, or those of an earlier reading. A list
  /// gets its first rows faster as a whole.
  private var replacesRows = true
  private var hasRows = false

  /// The feed is over: it was ended, or replaced.
  struct Ended: Error {}

  init(_ source: FeedSource, _ link: FeedLink) throws(FeedProcess.Problem) {
    guard let stop = System.makePipe() else {
      throw FeedProcess.Problem(words: "cannot make a pipe: \(Descriptor.problem)")
    }
    self.source = source
    self.link = link
    self.stop = stop
  }

  /// Starts the thread.
  final func begin() {
    System.startThread { [self] in
      link.turn.begin()
      do throws(Ended) { try run() } catch {}
      link.turn.end()
      finish()
      close(stop.reading)
    }
  }

  /// Ends the feed. It does not wait for its thread.
  final func end() { close(stop.writing) }

  /// Sets the folders that outlines of the list have expanded. Any thread may call it.
  func expand(_ folders: Set<String>) {}

  /// Edits the folder that the feed reads, and returns the message that describes what was done; `nil` if
  /// it reads none. The edit lasts until `finishEdit`, on the same thread.
  func edit(_ edit: FolderEdit) -> SharedBytes? { nil }

  /// Ends the last edit, which is kept or undone.
  func finishEdit(keeps: Bool) {}

  /// Lets `wait` return. Any thread may call it before the feed is ended.
  final func wake() {
    let byte: UInt8 = 0
    _ = withUnsafeBytes(of: byte) { System.writeBytes(stop.writing, $0) }
  }

  /// Reads and sends rows until there are no more.
  func run() throws(Ended) {}

  /// Releases what `run` has used.
  func finish() {}

  /// The options by which rows are read.
  final var rowOptions: ComparisonOptions {
    var options = ComparisonOptions()
    switch source.format {
    case .lines:
      options.input = .text
      options.keyFields = source.key
      return options
    case .ndjson: options.input = .ndjson
    case .csv: options.input = .csv
    case .tsv: options.input = .tsv
    case .json: options.input = .json
    }
    options.key = source.key
    return options
  }

  /// Waits in turns of other threads until one of some descriptors can be read, or a time has come. Returns the descriptors that
  /// can be read.
  ///
  /// - Throws: If the feed was ended.
  final func wait(for numbers: [Int32], until time: MonotonicTime?) throws(Ended) -> [Bool] {
    var polled = [pollfd(fd: stop.reading, events: Int16(POLLIN), revents: 0)]
    for number in numbers { polled.append(pollfd(fd: number, events: Int16(POLLIN), revents: 0)) }
    let limit = time.map { max(.zero, MonotonicTime.now.duration(to: $0)) }
    link.turn.end()
    let count = poll(&polled, nfds_t(polled.count), limit.pollMilliseconds)
    link.turn.begin()
    if count > 0, polled[0].revents != 0 {
      var bytes = (0, 0)
      let count = withUnsafeMutableBytes(of: &bytes) { System.readBytes(stop.reading, $0) }
      if count <= 0 { throw Ended() }
    }
    return polled.dropFirst().map { count > 0 && $0.revents != 0 }
  }

  /// Sends a request, and again each second while the journal cannot be written. Returns whether it
  /// has succeeded.
  ///
  /// - Throws: If the feed was ended.
  final func send(_ request: () -> FeedMailbox.Answer) throws(Ended) -> FeedMailbox.Answer {
    let known = state.error
    var reported = known
    while true {
      let answer = request()
      switch answer {
      case .ended: throw Ended()
      case .failed(let code, let words) where Failure.isOfJournal(code):
        if reported != words {
          (reported, state.error) = (words, words)
          defer { state.error = known }
          try report()
        }
        _ = try wait(for: [], until: MonotonicTime.now.advanced(by: .seconds(1)))
      case .done, .withdrawn, .failed:
        if reported != known { try report() }
        return answer
      }
    }
  }

  /// Reports the state.
  final func report(quiet: Bool = false) throws(Ended) {
    if case .ended = link.report(state, quiet: quiet) { throw Ended() }
  }

  /// Lets the next rows replace those before.
  final func beginAgain() { replacesRows = true }

  /// Appends rows as one edit. Rows that the lists refuse are left out.
  final func append(_ items: consuming ByteBuffer, _ rows: inout ArrivingRows) throws(Ended) {
    guard !items.isEmpty || replacesRows && hasRows else { return }
    let items = items
    let content = Self.content(items)
    let isReplacing = replacesRows
    replacesRows = false
    hasRows = !items.isEmpty
    let answer = try send { isReplacing ? link.replace(content) : link.append(items) }
    guard case .failed = answer else { return }
    // One of the rows is refused: only the lists know which.
    if isReplacing {
      let nothing = Self.content(ByteBuffer())
      _ = try send { link.replace(nothing) }
    }
    let list = items.asArray
    for item in ArrivingRows.ranges(ofItemsIn: list) {
      var single = ByteBuffer()
      list.withBytes { single.append(UnsafeRawBufferPointer(rebasing: $0[item])) }
      let one = single
      if case .failed(_, let words) = try send({ link.append(one) }) { rows.omit(words) }
    }
  }

  /// Returns the member `items` of a snapshot.
  private static func content(_ items: borrowing ByteBuffer) -> ByteBuffer {
    var content = ByteBuffer(capacity: items.count + 16)
    content.append("\"items\":[")
    content.append(contentsOf: items)
    content.append("]")
    return content
  }

  /// Replaces all rows. Returns why that failed, as a message for people; `nil` if it has not.
  final func replace(
    _ content: SharedBytes, _ rows: inout ArrivingRows
  ) throws(Ended) -> String? {
    var out = ByteBuffer()
    do throws(ComparisonFailure) { try rows.append(contentOf: content, to: &out) } catch {
      return error.words
    }
    let members = out
    if case .failed(_, let words) = try send({ link.replace(members) }) { return words }
    return nil
  }
}

extension ByteBuffer {
  /// The items, which are separated by commas, as an array.
  fileprivate var asArray: SharedBytes {
    var array = ByteBuffer()
    array.append("[")
    array.append(contentsOf: self)
    array.append("]")
    return array.shared()
  }
}
