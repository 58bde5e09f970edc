import ByteBuffers

extension ListService {
  /// `unsubscribe`: ends a subscription, if there is one.
  mutating func unsubscribe(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: [.list])
    removeSubscription(to: try params.require(.list).requireString())
    out.append("null")
  }
}
