/// A row as numbers, from which its id and its content are generated.
package struct WorkloadRow: Hashable, Sendable {
  package var id: Int
  package var content = 0
}

/// A section of such rows.
package struct WorkloadSection: Hashable, Sendable {
  package var id: Int
  package var rows: [WorkloadRow]
}

/// A list to measure. The lists of each library are generated from it.
package struct WorkloadList: Hashable, Sendable {
  package var sections: [WorkloadSection]

  init(sections: [WorkloadSection]) { self.sections = sections }

  init(flat rows: [WorkloadRow]) { sections = [WorkloadSection(id: 0, rows: rows)] }

  package var rows: [WorkloadRow] { sections.flatMap(\.rows) }
}
