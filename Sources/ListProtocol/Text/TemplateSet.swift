import ListText

/// Templates by name.
struct TemplateSet: Equatable {
  private(set) var templates: [[UInt8]: Template] = [:]

  /// The sources of the templates as they were written.
  private(set) var sources: [[UInt8]: [UInt8]] = [:]

  /// Registers a template under a name.
  ///
  /// - Throws: `TemplateError` if its source cannot be read.
  mutating func register(_ source: [UInt8], as name: [UInt8]) throws(TemplateError) {
    templates[name] = try Template(source)
    sources[name] = source
  }

  static func == (a: TemplateSet, b: TemplateSet) -> Bool { a.sources == b.sources }

  subscript(name: [UInt8]) -> Template? { templates[name] }
}
