import ByteBuffers

/// A request about lists: the values of its parameters, what it does with the lists, and how its
/// result is written.
///
/// Each method is a type in `Methods`. Requests are read from JSON, or created by a caller in
/// Swift, which gets the result as a value.
protocol ListRequest: ~Copyable {
  associatedtype Result

  /// The names of the parameters.
  static var members: ParamNames { get }

  /// Reads the parameters, and takes what was read with them.
  ///
  /// - Throws: the failure of the request. No list has changed.
  init(_ params: inout Params, _ service: inout ListService) throws(Failure)

  /// Performs the request and queues its notifications.
  ///
  /// - Throws: the failure of the request. Lists that have changed are restored by
  ///   ``ListService/rollBack()``.
  mutating func perform(on service: inout ListService) throws(Failure) -> Result

  /// Appends the result as JSON.
  ///
  /// - Throws: `cancelled`.
  func append(
    _ result: Result, of service: inout ListService, to out: inout ByteBuffer
  ) throws(Failure)
}

extension ListRequest where Self: ~Copyable, Result == Void {
  func append(_ result: Void, of service: inout ListService, to out: inout ByteBuffer) {
    out.append("null")
  }
}
