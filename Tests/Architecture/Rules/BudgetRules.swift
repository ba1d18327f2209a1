extension Rule {
    /// Checks the table of budgets in ARCHITECTURE.md: each file belongs to one row, and no row is larger than it says.
    ///
    /// The first row with the file's place counts. A row with a tenth to spare is a finding, too, so that what was removed stays removed.
    static let budgets = Rule("each part is within its budget, and the budget fits the part") { repository in
        guard let page = repository.pages.first(where: { $0.path == "ARCHITECTURE.md" }) else { return [] }
        let rows = page.lines.compactMap { Budget($0.text, line: $0.number) }
        if rows.isEmpty { return [] }
        var sizes = rows.map { _ in (files: 0, count: 0, bytes: 0) }
        var findings: [Finding] = []
        for file in repository.sizes {
            guard let row = rows.firstIndex(where: { $0.contains(file.path) }) else {
                findings.append(file.finding("is in no row of the table of budgets in \(page.path)"))
                continue
            }
            sizes[row].files += 1
            sizes[row].count += file.count
            sizes[row].bytes += file.bytes
        }
        for (row, size) in zip(rows, sizes) {
            let parts = [
                ("files", size.files, row.files), ("lines or words", size.count, row.count),
                ("bytes", size.bytes, row.count * row.bytes),
            ]
            for (unit, size, most) in parts where size > most {
                findings.append(page.finding(at: row.line, "\(row.name) has \(size) \(unit); allowed: \(most)"))
            }
            if size.count < row.count * 9 / 10 {
                findings.append(
                    page.finding(
                        at: row.line,
                        "\(row.name) has only \(size.count) lines or words; lower its budget of \(row.count)"))
            }
        }
        return findings
    }
}

/// A row of the table: a name, its paths, and how many files, lines (of pages: words) and bytes for each line it may have.
private struct Budget {
    let name: String
    let line: Int
    let places: [String]
    let files: Int
    let count: Int
    let bytes: Int

    init?(_ text: Substring, line: Int) {
        let form = /\| (.+) \| (`.+`) \| ([0-9,]+) \| ([0-9,]+) \| ([0-9]+) \|/
        guard let row = text.wholeMatch(of: form) else { return nil }
        let numbers = [row.output.3, row.output.4, row.output.5].compactMap { Int($0.replacing(",", with: "")) }
        guard numbers.count == 3 else { return nil }
        (files, count, bytes) = (numbers[0], numbers[1], numbers[2])
        name = String(row.output.1)
        self.line = line
        places = row.output.2.split(separator: ", ").map { String($0.dropFirst().dropLast()) }
    }

    /// Returns whether a path is in one of the places: its beginning, or after a star its end, or a folder in it.
    func contains(_ path: String) -> Bool {
        places.contains { place in
            guard place.hasPrefix("*") else { return path.hasPrefix(place) }
            let part = place.dropFirst()
            return part.hasSuffix("/") ? path.contains(part) : path.hasSuffix(part)
        }
    }
}
