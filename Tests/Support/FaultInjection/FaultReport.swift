/// The outcome of a fault.
package struct FaultOutcome: Sendable {
    /// The fault.
    package let fault: Fault
    /// The point at which it was injected.
    package let point: FaultPoint
    /// A Boolean value that indicates whether the call was reached. Otherwise the outcome is meaningless.
    package internal(set) var isTried = false
    /// The exit status as shells report it, or nil if the command did not end or was not run.
    package internal(set) var status: Int32?
    /// The violations.
    package internal(set) var violations: [FaultViolation] = []
    /// The command line of strace or, for a power cut, a description of the loss.
    package internal(set) var commandLine = ""
}

/// A property that does not hold after a fault.
package struct FaultViolation: Sendable, Hashable {
    /// The violated property.
    ///
    /// It is the name of a ``SandboxInvariant`` or one of the following:
    /// - `I5`: The same command succeeds when it is repeated.
    /// - `done`: A command that reports success has done its work.
    /// - `crash` and `hang`: Only the fault may end or block the host.
    /// - `status`: The exit status for a failing call is 69, 74 or 75.
    package let invariant: String
    /// A sentence that describes the violation.
    package let message: String

    init(_ invariant: String, _ message: String) { (self.invariant, self.message) = (invariant, message) }
}

/// The outcomes of all faults.
package struct FaultReport: Sendable {
    /// The outcomes of one operation and one fault.
    package struct Row: Sendable {
        /// The operation's name.
        package let operation: String
        /// The fault.
        package let fault: Fault
        /// The number of points of the operation.
        package let points: Int
        /// The number of bundles with a minimum version before the operation. If it is zero, I7 is not checked.
        package let minimumVersions: Int
        /// The outcomes of the chosen points.
        package let outcomes: [FaultOutcome]

        /// The number of points that were reached.
        package var tried: Int { outcomes.count(where: \.isTried) }
        /// The number of points that were chosen but not reached.
        package var missed: Int { outcomes.count - tried }
        /// The number of points with violations.
        package var violations: Int { outcomes.count { !$0.violations.isEmpty } }
    }

    /// The rows, sorted by operation and then by fault.
    package let rows: [Row]

    /// The points with violations, with their operations.
    package var violations: [(operation: String, outcome: FaultOutcome)] {
        rows.flatMap { row in row.outcomes.filter { !$0.violations.isEmpty }.map { (row.operation, $0) } }
    }

    /// The points that were chosen but not reached, with their operations.
    package var missed: [(operation: String, outcome: FaultOutcome)] {
        rows.flatMap { row in row.outcomes.filter { !$0.isTried }.map { (row.operation, $0) } }
    }
}

extension FaultReport: CustomStringConvertible {
    /// A table with a line for each operation and fault, the totals, and each violation.
    package var description: String { text { _, _ in nil } }

    /// Returns the report with a command for each violation.
    ///
    /// - Parameter command: Returns the command that reproduces a violation.
    package func text(reproducing command: (_ operation: String, FaultOutcome) -> String?) -> String {
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
