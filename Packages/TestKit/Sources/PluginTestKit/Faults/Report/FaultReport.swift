/// What came of all faults.
public struct FaultReport: Sendable {
    /// One operation and one fault.
    public struct Row: Sendable {
        /// The operation's name.
        public let operation: String
        /// The fault.
        public let fault: Fault
        /// How many points the operation has.
        public let points: Int
        /// How many bundles have a floor before it; without any, I7 says nothing.
        public let floors: Int
        /// What came of those that were chosen.
        public let outcomes: [FaultOutcome]

        /// How many points were reached.
        public var tried: Int { outcomes.count(where: \.isTried) }
        /// How many were chosen and not reached.
        public var missed: Int { outcomes.count - tried }
        /// How many points have a violation.
        public var violations: Int { outcomes.count { !$0.violations.isEmpty } }
    }

    /// By operation and then by fault.
    public let rows: [Row]
    /// A Boolean value that indicates whether I6 was checked.
    public let isSettled: Bool

    /// The points with a violation, with their operations.
    public var violations: [(operation: String, outcome: FaultOutcome)] {
        rows.flatMap { row in row.outcomes.filter { !$0.violations.isEmpty }.map { (row.operation, $0) } }
    }

    /// The points that were chosen and not reached, with their operations.
    public var missed: [(operation: String, outcome: FaultOutcome)] {
        rows.flatMap { row in row.outcomes.filter { !$0.isTried }.map { (row.operation, $0) } }
    }
}
