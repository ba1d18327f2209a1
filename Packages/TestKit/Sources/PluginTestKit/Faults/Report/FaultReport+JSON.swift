extension FaultReport: Encodable {
    private struct Line: Encodable {
        let operation: String
        let fault: Fault
        let points: Int
        let minimumVersions: Int
        let tried: Int
        let missed: [String]
        let violations: [Finding]
    }

    private struct Finding: Encodable {
        let point: String
        let call: String
        let status: Int32?
        let violations: [String]
        let strace: String
    }

    private enum Key: String, CodingKey {
        case rows, tried, missed, violations
    }

    /// Encodes the rows with unreached points and violations, and the totals.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(rows.map(Self.line), forKey: .rows)
        try container.encode(rows.map(\.tried).reduce(0, +), forKey: .tried)
        try container.encode(missed.count, forKey: .missed)
        try container.encode(violations.count, forKey: .violations)
    }

    private static func line(_ row: Row) -> Line {
        Line(
            operation: row.operation, fault: row.fault, points: row.points, minimumVersions: row.minimumVersions,
            tried: row.tried,
            missed: row.outcomes.filter { !$0.isTried }.map(\.point.description),
            violations: row.outcomes.filter { !$0.violations.isEmpty }.map { outcome in
                Finding(
                    point: outcome.point.description, call: outcome.point.excerpt, status: outcome.status,
                    violations: outcome.violations.map { "\($0.invariant): \($0.message)" }, strace: outcome.commandLine
                )
            })
    }
}
