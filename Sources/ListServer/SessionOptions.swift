import JSONRPC

/// What sessions keep to, as the command line says.
package struct SessionOptions: Sendable {
  package var maxMessageBytes = FrameReader.defaultLimit
  package var historyBytes = 64 << 20

  /// How many bytes of older revisions are kept of all lists.
  package var totalHistoryBytes = 256 << 20

  /// Whether every answer is made again by plainer means before it is sent.
  package var checksAnswers = false

  /// The least grave messages for people that are told.
  package var logLevel = LogLevel.warning

  package init() {}
}
