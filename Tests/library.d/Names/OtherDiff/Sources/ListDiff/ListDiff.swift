/// A type of another package whose module and whose name are those of listd.
public struct Changes: Equatable {
  public init() {}
}
