import ByteBuffers

/// The requests that feeds make, each on a thread of its own, until the thread that has the lists
/// answers them. A feed makes one request at a time.
final class FeedMailbox: @unchecked Sendable {
  /// A message of a feed, whose connection has a number.
  struct Request: Sendable {
    let feed: Int
    let message: SharedBytes
  }

  /// How a request was answered.
  enum Answer: Sendable {
    case done
    /// It failed, with a code and a message.
    case failed(code: Int, words: String)
    /// The feed has ended.
    case ended
  }

  // A function that has the lock does not call another one that takes it.
  @exclusivity(unchecked) private var mutex = pthread_mutex_t()
  @exclusivity(unchecked) private var answered = pthread_cond_t()
  @exclusivity(unchecked) private var requests: [Request] = []
  @exclusivity(unchecked) private var answers: [Int: Answer] = [:]

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

  /// Makes a request, and waits for the answer.
  func ask(_ request: Request) -> Answer {
    let isOpen = withLock {
      guard feeds.contains(request.feed) else { return false }
      requests.append(request)
      return true
    }
    guard isOpen else { return .ended }
    wake()
    return withLock {
      while feeds.contains(request.feed) {
        if let answer = answers.removeValue(forKey: request.feed) { return answer }
        pthread_cond_wait(&answered, &mutex)
      }
      return .ended
    }
  }

  /// Whether a request waits.
  var hasRequests: Bool { withLock { !requests.isEmpty } }

  /// Removes and returns the first request; `nil` if there is none.
  func next() -> Request? { withLock { requests.isEmpty ? nil : requests.removeFirst() } }

  /// Answers the request of a feed.
  func answer(_ feed: Int, _ answer: Answer) {
    withLock {
      guard feeds.contains(feed) else { return }
      answers[feed] = answer
      pthread_cond_broadcast(&answered)
    }
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return body()
  }
}
