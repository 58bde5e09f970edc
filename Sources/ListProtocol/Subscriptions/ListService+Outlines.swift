import ByteBuffers
import ListState

extension ListService {
  /// Returns the reference to an expanded item whose children are awaited, as subscribers are sent
  /// it: its identifier if that is unambiguous, else its path; `nil` if neither leads to it.
  func reference(to item: AwaitedItem) -> SharedBytes? {
    var reference = ByteBuffer()
    let hasID = [.string, .integer].contains(store.ids.kind(of: item.key))
    if hasID, !item.isAmbiguous {
      reference.append(id: item.key, store.ids)
    } else if let path = item.path {
      reference.append("{\"path\":")
      reference.append(path)
      reference.append("}")
    } else if hasID {
      reference.append("{\"id\":")
      reference.append(id: item.key, store.ids)
      reference.append(member: "occurrence", item.occurrence)
      reference.append("}")
    } else {
      return nil
    }
    return reference.shared()
  }

  /// The warning about items that are their own ancestors.
  func message(_ warning: CycleWarning) -> String {
    let ids = warning.items.prefix(3).map { key in
      var id = ByteBuffer()
      id.append(id: key, store.ids)
      return id.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
    let more = warning.items.count - ids.count
    let list = String(decoding: warning.list, as: UTF8.self)
    return "in the outline \"\(list)\" items are their own ancestors, and are shown as roots: "
      + ids.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
