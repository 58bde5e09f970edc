/// The OpenRPC document that describes the protocol.
package enum ProtocolDocument {
  /// The document as UTF-8 text, with a line end after it.
  package static var text: [UInt8] { PackageResources.protocol_json }

  /// The document on one line, without indentation. JSON strings have no line ends.
  static var line: [UInt8] {
    text.split(separator: 0x0A).flatMap { line in line.drop { $0 == 0x20 } }
  }
}
