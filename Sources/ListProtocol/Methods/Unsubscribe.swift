/// `unsubscribe`: ends a subscription, if there is one.
struct Unsubscribe: ListRequest {
  let list: [UInt8]

  static let members: [ParamName] = [.list]

  mutating func perform(on service: inout ListService) { service.removeSubscription(to: list) }
}

extension Unsubscribe {
  init(_ params: borrowing Params, _ service: inout ListService) throws(Failure) {
    list = try params.require(.list).requireString()
  }
}
