extension Rule {
    /// Checks the table of budgets in ARCHITECTURE.md: each file belongs to one row, and no row is larger than it says.
    ///
    /// A row with a tenth to spare is a finding, too, so that what was removed stays removed.
    static let budgets = Rule("each part is within its budget, and the budget fits the part") { repository in
        guard let page = repository.pages.first(where: { $0.path == "ARCHITECTURE.md" }) else { return [] }
        let rows = page.lines.compactMap { Budget($0.text, line: $0.number) }
        if rows.isEmpty { return [] }
        var sizes = rows.map { _ in (files: 0, count: 0, bytes: 0) }
        var findings: [Finding] = []
        for file in repository.sizes {
            guard let row = rows.firstIndex(where: { $0.contains(file.path) }) else {
                findings.append(
                    Finding(file: file.path, line: 1, message: "is in no row of the table of budgets in \(page.path)"))
                continue
            }
            sizes[row].files += 1
            sizes[row].count += file.count
            sizes[row].bytes += file.bytes
        }
        for (row, size) in zip(rows, sizes) {
            let parts = [
                ("files", size.files, row.files), ("lines or words", size.count, row.count),
                ("bytes", size.bytes, row.count * Budget.bytes),
            ]
            for (unit, size, most) in parts where size > most {
                findings.append(
                    Finding(
                        file: page.path, line: row.line, message: "\(row.name) has \(size) \(unit); allowed: \(most)"))
            }
            if size.count < row.count * 9 / 10 {
                findings.append(
                    Finding(
                        file: page.path, line: row.line,
                        message: "\(row.name) has only \(size.count) lines or words; lower its budget of \(row.count)"))
            }
        }
        return findings
    }
}

/// A row of the table: a name, the beginnings of its paths, and how many files and lines, or words of pages, it may have.
private struct Budget {
    /// The bytes that a line may have on average, without indentation.
    static let bytes = 43

    let name: String
    let line: Int
    let beginnings: [String]
    let files: Int
    let count: Int

    init?(_ text: Substring, line: Int) {
        guard let row = text.wholeMatch(of: /\| (.+) \| (`.+`) \| ([0-9,]+) \| ([0-9,]+) \|/),
            let files = Int(row.output.3.replacing(",", with: "")),
            let count = Int(row.output.4.replacing(",", with: ""))
        else { return nil }
        self.name = String(row.output.1)
        self.line = line
        self.beginnings = row.output.2.split(separator: ", ").map { String($0.dropFirst().dropLast()) }
        self.files = files
        self.count = count
    }

    /// Returns whether a path starts with one of the beginnings, or ends with one that starts with a star.
    func contains(_ path: String) -> Bool {
        beginnings.contains { $0.hasPrefix("*") ? path.hasSuffix($0.dropFirst()) : path.hasPrefix($0) }
    }
}
