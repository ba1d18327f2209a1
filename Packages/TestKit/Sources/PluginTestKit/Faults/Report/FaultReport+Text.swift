extension FaultReport: CustomStringConvertible {
    /// A table with a line for each operation and fault, the totals, and each violation.
    public var description: String { text { _, _ in nil } }

    /// Returns the report with a command for each violation.
    ///
    /// - Parameter command: Returns the command that reproduces a violation.
    public func text(reproducing command: (_ operation: String, FaultOutcome) -> String?) -> String {
        var table = [["operation", "fault", "minimum versions", "points", "tried", "not reached", "violations"]]
        for row in rows {
            table.append(
                [row.operation, row.fault.rawValue]
                    + [row.minimumVersions, row.points, row.tried, row.missed, row.violations].map(String.init))
        }
        let tried = rows.map(\.tried).reduce(0, +)
        var text = Self.aligned(table)
        for (operation, outcome) in missed {
            text +=
                "\nnot reached: \(operation), \(outcome.fault.rawValue) at \(outcome.point): \(outcome.point.excerpt)\n"
        }
        for (operation, outcome) in violations {
            text += "\n\(operation), \(outcome.fault.rawValue) at \(outcome.point): \(outcome.point.excerpt)\n"
            for violation in outcome.violations { text += "  \(violation.invariant): \(violation.message)\n" }
            if outcome.fault == .powerCut { text += "  \(outcome.commandLine)\n" }
            let again = command(operation, outcome) ?? (outcome.fault == .powerCut ? nil : outcome.commandLine)
            if let again { text += "  again: \(again)\n" }
        }
        if rows.allSatisfy({ $0.minimumVersions == 0 }) { text += "\nI7 was not checked: no bundle had run before\n" }
        if !isSettled { text += "\nI6 was not checked: this host has no gc\n" }
        return text + "\n\(tried) points tried, \(missed.count) not reached, \(violations.count) with violations\n"
    }

    private static func aligned(_ table: [[String]]) -> String {
        let widths = (table.first ?? []).indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        return table.map { row in
            row.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                // Text columns are left-aligned, and numbers are right-aligned.
                return column < 2 ? text + space : space + text
            }.joined(separator: "  ") + "\n"
        }.joined()
    }
}
