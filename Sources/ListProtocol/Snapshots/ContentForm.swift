import ByteBuffers
import JSONBytes

/// How contents are written for a client.
struct ContentForm: Equatable {
  /// Whether line ends are written as spaces.
  var singleLine = true

  /// The members that the client wants; `nil` for all.
  var members: WantedMembers?
}

extension ContentForm {
  /// Reads the member `members`.
  init(_ params: borrowing Params, _ context: borrowing RequestContext) throws(Failure) {
    singleLine = context.singleLine
    guard let value = params[.members] else { return }
    members = WantedMembers(try value.requireMembers(words: []))
  }
}

/// The members to which items and parts are cut down.
struct WantedMembers: Equatable {
  private struct Member: Equatable {
    var name: [UInt8]

    /// The other names of the path that the name is.
    var path: [[UInt8]]
  }

  /// The members that every content keeps if it has them.
  private static let always: [StaticString] = ["id", "template"]

  private var members: [Member] = []

  /// Creates the members with some names. A name with dots is also a path of names.
  init(_ names: [[UInt8]]) {
    for name in Self.always.map({ Array("\($0)".utf8) }) + names
    where !members.contains(where: { $0.name == name }) {
      let steps = name.split(separator: 0x2E, omittingEmptySubsequences: false).map(Array.init)
      members.append(Member(name: name, path: steps))
    }
  }

  /// Appends an item, or a part.
  ///
  /// - Complexity: O(*b* *m*), where *b* is the number of bytes and *m* that of members.
  func append(_ content: UnsafeRawBufferPointer, singleLine: Bool, to out: inout ByteBuffer) {
    guard content[0] == 0x7B else { return out.append(json: content, singleLine: singleLine) }
    let whole = names(of: content)
    // A member that is there as a whole is not looked up as a path.
    let paths = members.map { whole.contains($0.name) ? [$0.name] : $0.path }
    append(content, paths, isItem: true, singleLine: singleLine, to: &out)
  }

  /// Appends the members of an object that paths lead to. In an item, those that begin with `$` are kept,
  /// and its parts are cut down themselves.
  private func append(
    _ object: UnsafeRawBufferPointer, _ paths: [[[UInt8]]], isItem: Bool, singleLine: Bool,
    to out: inout ByteBuffer
  ) {
    out.append(0x7B)
    JSONReader(object).forEachMember { reader, member, range in
      let value = reader.bytes(range)
      let name = reader.name(member)
      let inside = paths.filter { $0.first == name }.map { Array($0.dropFirst()) }
      let isParts = isItem && name.elementsEqual("parts".utf8) && value[0] == 0x5B
      let isWhole = inside.contains([]) || isItem && name.first == 0x24
      guard isWhole || isParts || !inside.isEmpty && value[0] == 0x7B else { return }
      out.appendSeparator()
      out.append(0x22)
      out.append(json: reader.bytes(member.range), singleLine: singleLine)
      out.append("\":")
      if isWhole {
        out.append(json: value, singleLine: singleLine)
      } else if isParts {
        out.append(0x5B)
        JSONReader(value).forEachElement { part in
          out.appendSeparator()
          append(.init(rebasing: value[part]), singleLine: singleLine, to: &out)
        }
        out.append(0x5D)
      } else {
        append(value, inside, isItem: false, singleLine: singleLine, to: &out)
      }
    }
    out.append(0x7D)
  }

  /// Returns the names of an object's members that are names of these members.
  private func names(of object: UnsafeRawBufferPointer) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    guard members.contains(where: { $0.path.count > 1 }) else { return names }
    JSONReader(object).forEachMember { reader, name, _ in names.insert(reader.name(name)) }
    return names
  }
}

extension ByteBuffer {
  /// Appends an item, or a part.
  mutating func append(content: UnsafeRawBufferPointer, _ form: ContentForm) {
    if let members = form.members {
      members.append(content, singleLine: form.singleLine, to: &self)
    } else {
      append(json: content, singleLine: form.singleLine)
    }
  }
}
