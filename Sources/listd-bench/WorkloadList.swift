/// A row by number: what its id and its content are made of.
package struct WorkloadRow: Hashable, Sendable {
  package var id: Int
  package var content = 0
}

/// A section of rows by number.
package struct WorkloadSection: Hashable, Sendable {
  package var id: Int
  package var rows: [WorkloadRow]
}

/// A list to be measured, from which the lists of each library are made.
package struct WorkloadList: Hashable, Sendable {
  package var sections: [WorkloadSection]

  init(sections: [WorkloadSection]) { self.sections = sections }

  init(flat rows: [WorkloadRow]) { sections = [WorkloadSection(id: 0, rows: rows)] }

  package var rows: [WorkloadRow] { sections.flatMap(\.rows) }
}
