/// The outcomes of all faults.
public struct FaultReport: Sendable {
    /// The outcomes of one operation and one fault.
    public struct Row: Sendable {
        /// The operation's name.
        public let operation: String
        /// The fault.
        public let fault: Fault
        /// The number of points of the operation.
        public let points: Int
        /// The number of bundles with a minimum version before the operation. If it is zero, I7 is not checked.
        public let minimumVersions: Int
        /// The outcomes of the chosen points.
        public let outcomes: [FaultOutcome]

        /// The number of points that were reached.
        public var tried: Int { outcomes.count(where: \.isTried) }
        /// The number of points that were chosen but not reached.
        public var missed: Int { outcomes.count - tried }
        /// The number of points with violations.
        public var violations: Int { outcomes.count { !$0.violations.isEmpty } }
    }

    /// The rows, sorted by operation and then by fault.
    public let rows: [Row]
    /// A Boolean value that indicates whether I6 was checked.
    public let isSettled: Bool

    /// The points with violations, with their operations.
    public var violations: [(operation: String, outcome: FaultOutcome)] {
        rows.flatMap { row in row.outcomes.filter { !$0.violations.isEmpty }.map { (row.operation, $0) } }
    }

    /// The points that were chosen but not reached, with their operations.
    public var missed: [(operation: String, outcome: FaultOutcome)] {
        rows.flatMap { row in row.outcomes.filter { !$0.isTried }.map { (row.operation, $0) } }
    }
}
