import JSONBytes
import ListState

/// A client's subscription to a list.
struct Subscription {
  let client: Int
  var form: Form

  /// The state of the list that the client has, if its notifications are paused.
  var paused: PausedList?

  /// The form of notifications. Subscribers with equal forms share the bytes.
  struct Form: Equatable {
    var format: Format
    var content: OpContents
    var maxOps = Int.max

    /// Whether rows and sections move; otherwise they are deleted and inserted.
    var moves = true
    var contents: ContentForm

    /// The extra members beside edits of a text.
    var text = TextOptions()
  }
}

extension ListService {
  /// Reports whether the client whose request is being answered has subscribed to a list.
  func isSubscribed(_ name: [UInt8]) -> Bool {
    subscriptions[name]?.contains { $0.client == context.client } ?? false
  }

  /// Returns the subscriptions to the text of a list.
  func textSubscriptions(to name: [UInt8]) -> [Subscription] {
    subscriptions[name]?.filter { $0.form.format == .textEdits } ?? []
  }

  /// Begins a subscription of the client whose request is being answered, or changes its form.
  mutating func addSubscription(to name: [UInt8], _ form: Subscription.Form) {
    removeSubscription(to: name)
    let subscription = Subscription(client: context.client, form: form)
    let index = subscriptions[name]?.firstIndex { $0.client > subscription.client }
    subscriptions[name, default: []].insert(
      subscription, at: index ?? subscriptions[name]?.count ?? 0)
    if form.content == .both { store.listsWithOldContents.insert(name) }
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
    where subscriptions[name]?.contains(where: { $0.form.content == .both }) != true {
      store.listsWithOldContents.remove(name)
    }
  }
}
