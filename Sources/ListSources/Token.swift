/// A value that is different from all others that were made.
final class Token: Sendable {}
