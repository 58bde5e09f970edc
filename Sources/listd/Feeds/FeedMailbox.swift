import ByteBuffers
import Commands

/// The requests that feeds make, each on a thread of its own, until the thread that has the lists
/// answers them. A feed makes one request at a time.
final class FeedMailbox: @unchecked Sendable {
  /// A message of a feed, whose connection has a number.
  struct Request: Sendable {
    let feed: Int
    let message: SharedBytes

    /// Whether it changes the list, and is not only a report.
    let changesList: Bool
  }

  /// How a request was answered.
  enum Answer: Sendable {
    case done
    /// It failed, with a code and a message.
    case failed(code: Int, words: String)
    /// The feed has ended.
    case ended
    /// It was withdrawn before it was performed.
    case withdrawn
  }

  /// Lets one thread at a time use what a feed has read: the thread of the feed, except while it waits, or
  /// the one that edits the folder.
  final class Turn: @unchecked Sendable {
    @exclusivity(unchecked) private var mutex = pthread_mutex_t()

    init() { pthread_mutex_init(&mutex, nil) }

    func begin() { pthread_mutex_lock(&mutex) }
    func end() { pthread_mutex_unlock(&mutex) }
  }

  // A function that has the lock does not call another one that takes it.
  @exclusivity(unchecked) private var mutex = pthread_mutex_t()
  @exclusivity(unchecked) private var answered = pthread_cond_t()
  @exclusivity(unchecked) private var requests: [Request] = []
  @exclusivity(unchecked) private var answers: [Int: (answer: Answer, changesList: Bool)] = [:]

  /// The feeds that have not ended.
  @exclusivity(unchecked) private var feeds: Set<Int> = []

  /// Called after a request was added, by the thread of the feed.
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&answered, nil)
  }

  /// Adds a feed.
  func begin(_ feed: Int) { _ = withLock { feeds.insert(feed) } }

  /// Ends a feed: its requests are not answered any more.
  func end(_ feed: Int) {
    withLock {
      feeds.remove(feed)
      answers[feed] = nil
      requests.removeAll { $0.feed == feed }
      pthread_cond_broadcast(&answered)
    }
  }

  /// Makes a request, and waits for the answer in turns of other threads.
  func ask(_ request: Request, _ turn: Turn) -> Answer {
    post(request)
    return awaitAnswer(to: request, turn)
  }

  /// Makes a request, whose answer has to be awaited before the next one.
  func post(_ request: Request) {
    let isOpen = withLock {
      guard feeds.contains(request.feed) else { return false }
      requests.append(request)
      return true
    }
    if isOpen { wake() }
  }

  /// Waits for the answer to a request in turns of other threads.
  func awaitAnswer(to request: Request, _ turn: Turn) -> Answer {
    turn.end()
    withLock {
      while feeds.contains(request.feed), answers[request.feed] == nil {
        pthread_cond_wait(&answered, &mutex)
      }
    }
    turn.begin()
    // The answer stays until it is the turn of the feed, so that `withdraw` finds it before.
    return withLock { answers.removeValue(forKey: request.feed)?.answer ?? .ended }
  }

  /// Whether a request waits.
  var hasRequests: Bool { withLock { !requests.isEmpty } }

  /// Removes and returns the first request; `nil` if there is none.
  func next() -> Request? { withLock { requests.isEmpty ? nil : requests.removeFirst() } }

  /// Withdraws the waiting request of a feed if it changes the list. Returns the answer that the feed
  /// has not taken yet, or the new one; `nil` if there is none.
  func withdraw(_ feed: Int) -> Answer? {
    withLock {
      if let found = answers[feed] { return found.changesList ? found.answer : nil }
      guard let index = requests.firstIndex(where: { $0.feed == feed && $0.changesList }) else {
        return nil
      }
      requests.remove(at: index)
      answers[feed] = (.withdrawn, true)
      pthread_cond_broadcast(&answered)
      return .withdrawn
    }
  }

  /// Answers the request of a feed.
  func answer(_ request: Request, _ answer: Answer) {
    withLock {
      guard feeds.contains(request.feed) else { return }
      answers[request.feed] = (answer, request.changesList)
      pthread_cond_broadcast(&answered)
    }
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return body()
  }
}
