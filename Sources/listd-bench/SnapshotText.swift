/// Requests to the daemon as bytes, from the rows of a workload.
enum SnapshotText {
  /// An `applySnapshot` request with its header. Each row has an id, a text and a second text, 94
  /// bytes in all.
  static func request(_ id: Int, list: String, _ content: WorkloadList) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(content.rows.count * 96 + 256)
    body += Array(
      "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"applySnapshot\",\"params\":{\"list\":".utf8)
    body += Array("\"\(list)\",\"sections\":[".utf8)
    for (index, section) in content.sections.enumerated() {
      body += Array("\(index == 0 ? "" : ","){\"id\":\"section-\(section.id)\",\"items\":[".utf8)
      var isFirst = true
      for row in section.rows {
        if !isFirst { body.append(0x2C) }
        isFirst = false
        append(row, to: &body)
      }
      body += Array("]}".utf8)
    }
    body += Array("]}}".utf8)
    return framed(body)
  }

  /// An `editSnapshot` request that changes the content of one row.
  static func edit(_ id: Int, list: String, row: WorkloadRow) -> [UInt8] {
    var body = Array(
      """
      {"jsonrpc":"2.0","id":\(id),"method":"editSnapshot","params":{"list":"\(list)",\
      "edits":[{"edit":"updateItems","items":[
      """.utf8.filter { $0 != 0x0A })
    append(row, to: &body)
    body += Array("]}]}}".utf8)
    return framed(body)
  }

  /// A request that takes the daemon almost no time.
  static func echo(_ id: Int) -> [UInt8] {
    framed(
      Array(
        "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"getSelection\",\"params\":{\"list\":\"a\"}}"
          .utf8))
  }

  private static func append(_ row: WorkloadRow, to body: inout [UInt8]) {
    let digits = String(row.id)
    body += Array("{\"id\":\"item-".utf8)
    body += repeatElement(0x30, count: max(0, 7 - digits.utf8.count))
    body += Array(digits.utf8)
    body += Array("\",\"text\":\"Message number \(digits) — hello\",\"secondaryText\":\"".utf8)
    body += Array("preview \(row.id * 7919 % 10_000 + row.content)\"}".utf8)
  }

  private static func framed(_ body: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
