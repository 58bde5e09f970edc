import ListState

extension ListService {
  /// Records whether a list is removed when the connection of the client ends whose request is being
  /// answered.
  mutating func note(_ isTemporary: Bool?, _ list: [UInt8]) {
    if let isTemporary { temporary[list] = isTemporary ? context.client : nil }
  }

  /// Returns the lists that are removed with the connection of a client, in the order of their creation.
  package func temporaryLists(of client: Int) -> [[UInt8]] {
    store.inOrderOfCreation(temporary.keys.filter { temporary[$0] == client })
  }
}
