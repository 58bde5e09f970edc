/// Lists that are removed when the connections end whose clients have made them. Journals have none of
/// them.
struct TemporaryLists {
  private var clients: [[UInt8]: Int] = [:]
  private var before: [[UInt8]: Int] = [:]

  func contains(_ list: [UInt8]) -> Bool { clients[list] != nil }

  /// Makes a list that of a client; `nil` if it is not removed with a connection.
  mutating func set(_ client: Int?, of list: [UInt8]) { clients[list] = client }

  /// Returns the lists of a client.
  func lists(of client: Int) -> [[UInt8]] { clients.keys.filter { clients[$0] == client } }

  /// Saves the state that a request may change.
  mutating func begin() { before = clients }

  /// Restores the state before the request.
  mutating func rollBack() { clients = before }
}

extension ListService {
  /// Records whether a list is removed when the connection of the client ends whose request is being
  /// answered.
  mutating func note(_ isTemporary: Bool?, _ list: [UInt8]) {
    if let isTemporary { temporary.set(isTemporary ? context.client : nil, of: list) }
  }

  /// Returns the lists that are removed with the connection of a client, in the order of their creation.
  package func temporaryLists(of client: Int) -> [[UInt8]] {
    store.inOrderOfCreation(temporary.lists(of: client))
  }

  /// Removes a list whose client has left.
  ///
  /// - Throws: If that fails. Nothing has changed then.
  package mutating func removeTemporary(_ list: [UInt8]) throws(Failure) {
    try remove(list)
    store.endRequest()
  }
}
