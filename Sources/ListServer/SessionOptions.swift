import JSONRPC

/// The options of sessions, from the command line.
package struct SessionOptions: Sendable {
  package var maxMessageBytes = FrameReader.defaultLimit
  package var historyBytes = 64 << 20

  /// The maximum size in bytes of the older revisions of all lists.
  package var totalHistoryBytes = 256 << 20

  /// Whether every answer is checked by a second implementation before it is sent.
  package var checksAnswers = false

  /// The least severe messages that are logged.
  package var logLevel = LogLevel.warning

  /// Whether clients may ask for feeds.
  package var allowsFeeds = true

  package init() {}
}
