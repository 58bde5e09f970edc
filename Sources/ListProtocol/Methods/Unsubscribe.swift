/// `unsubscribe`: ends a subscription, if there is one.
struct Unsubscribe: ListRequest {
  let list: [UInt8]

  static let members: ParamNames = [.list]

  mutating func perform(on service: inout ListService) { service.removeSubscription(to: list) }
}

extension Unsubscribe {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try service.newListName(params)
  }
}
