import JSONBytes
import ListState

/// A client's subscription to a list.
struct Subscription {
  let client: Int
  var encoding: ChangeEncoding

  /// The state of the list that the client has, if its notifications are paused.
  var paused: PausedList?
}

extension ListService {
  /// Reports whether the client whose request is being answered has subscribed to a list.
  func isSubscribed(_ name: [UInt8]) -> Bool {
    subscriptions[name]?.contains { $0.client == context.client } ?? false
  }

  /// Begins a subscription of the client whose request is being answered, or changes its encoding.
  mutating func addSubscription(to name: [UInt8], _ encoding: ChangeEncoding) {
    removeSubscription(to: name)
    let subscription = Subscription(client: context.client, encoding: encoding)
    let index = subscriptions[name]?.firstIndex { $0.client > subscription.client }
    subscriptions[name, default: []].insert(
      subscription, at: index ?? subscriptions[name]?.count ?? 0)
    if encoding.content == .both { store.listsWithOldContents.insert(name) }
  }

  /// Ends the subscription of the client whose request is being answered.
  mutating func removeSubscription(to name: [UInt8]) {
    subscriptions[name]?.removeAll { $0.client == context.client }
    if subscriptions[name]?.isEmpty ?? false { subscriptions[name] = nil }
    forgetOldContents()
  }

  /// Ends all subscriptions of a client.
  package mutating func removeSubscriptions(of client: Int) {
    forgetInFeeds(client: client)
    subscriptions = subscriptions.mapValues { $0.filter { $0.client != client } }
      .filter { !$0.value.isEmpty }
    forgetOldContents()
  }

  /// Stops keeping old contents of lists if no subscriber wants them any more.
  private mutating func forgetOldContents() {
    for name in store.listsWithOldContents
    where subscriptions[name]?.contains(where: { $0.encoding.content == .both }) != true {
      store.listsWithOldContents.remove(name)
    }
  }
}
