import ByteBuffers
import Commands
import JSONRPC
import ListProtocol
import ListServer

/// The feeds that the program runs, each with a connection of its own. One thread uses it.
final class RunningFeeds {
  private let mailbox: FeedMailbox
  private let options: SessionOptions
  private var feeds: [Int: RunningFeed] = [:]

  /// A feed, and the session of its connection.
  private final class RunningFeed {
    let producer: FeedProducer
    var session: ClientSession

    init(_ producer: FeedProducer, _ session: consuming ClientSession) {
      self.producer = producer
      self.session = session
    }
  }

  /// `wake` is called on other threads after a feed has made a request.
  init(_ options: SessionOptions, wake: @escaping @Sendable () -> Void) {
    self.options = options
    mailbox = FeedMailbox(wake: wake)
  }

  /// Whether no feed runs.
  var isEmpty: Bool { feeds.isEmpty }

  /// Whether a request waits to be served.
  var hasRequests: Bool { !feeds.isEmpty && mailbox.hasRequests }

  /// What the lists call to start feeds.
  var program: FeedProgram {
    FeedProgram { [self] source, list, number in
      start(source, list, number)
    } edit: { [self] edit, number in
      feeds[number]?.producer.edit(edit)
    } finishEdit: { [self] number, keeps in
      feeds[number]?.producer.finishEdit(keeps: keeps)
    }
  }

  /// Starts a feed. Returns the reason if that fails.
  private func start(_ source: FeedSource, _ list: [UInt8], _ number: Int) -> String? {
    if let problem = source.problem { return problem }
    let link = FeedLink(
      number: number, list: list, mailbox: mailbox, sectionMembers: source.sectionMembers)
    do throws(FeedProcess.Problem) {
      let producer: FeedProducer =
        switch source.kind {
        case .command(let command): try CommandProducer(command, source, link)
        case .file(let path, let follows): try FileProducer(path, follows: follows, source, link)
        case .folder(let folder): try FolderProducer(folder, source, link)
        }
      mailbox.begin(number)
      feeds[number] = RunningFeed(producer, ClientSession(options, number: number))
      producer.begin()
      return nil
    } catch { return error.words }
  }

  /// Serves the next request of a feed. Notifications remain in `lists`.
  func serve(on lists: inout SharedLists, _ record: inout RecordFile?) {
    guard let request = mailbox.next(), let feed = feeds[request.feed] else { return }
    let frame = Frame.message(request.message)
    record?.append(frame, isLast: false, of: request.feed)
    feed.session.receive(frame, on: &lists)
    record?.appendAnswers(of: &feed.session, on: &lists, after: 0)
    mailbox.answer(request, feed.session.outbox.withUnsafeBytes { Self.answer($0) })
    feed.session.outbox.removeAll()
    for words in feed.session.takeDiagnostics() { Descriptor.report(words) }
  }

  private static func answer(_ bytes: UnsafeRawBufferPointer) -> FeedMailbox.Answer {
    let message = SharedBytes(copying: bytes)
    return message.withBytes { bytes in
      guard case .single(let envelope)? = try? Message.read(bytes), let error = envelope.error
      else { return .done }
      let part = MessagePart(message, error)
      return .failed(code: part.integer("code") ?? 0, words: part.text("message") ?? "")
    }
  }

  /// Ends the feeds that the lists do not have any more, and passes on what outlines have expanded.
  func endThose(of lists: inout SharedLists, _ record: inout RecordFile?) {
    for number in lists.service.takeEndedFeeds() {
      mailbox.end(number)
      feeds.removeValue(forKey: number)?.producer.end()
      record?.append(.leaves, of: number)
    }
    for (number, folders) in lists.service.takeExpansions() {
      feeds[number]?.producer.expand(folders)
    }
  }
}
