/// A type of another package whose module and whose name are those of listd.
public struct Query {
  public let isTheirs = true

  public init() {}
}
