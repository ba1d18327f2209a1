public import PluginCore

/// The answer of an activation rule: whether it accepts an input, and the clauses that failed if it does not.
public struct ActivationResult: Hashable, Sendable {
    /// The failed clauses. There is at least one unless the rule accepts the input.
    public let failures: [ActivationFailure]

    /// A Boolean value that indicates whether the rule accepts the input.
    public var activates: Bool { failures.isEmpty }
}

/// A clause of an activation rule that is false for an input.
public struct ActivationFailure: Hashable, Sendable {
    /// The place of the clause in the bytes of the rule's text, or nil for a rule of counts.
    public let range: Range<Int>?
    /// The clause, with the expected and the found values.
    public let reason: ErrorReason
    /// The clauses inside of it that explain the failure.
    public let causes: [ActivationFailure]

    init(_ reason: ErrorReason, at range: Range<Int>? = nil, causes: [ActivationFailure] = []) {
        self.range = range
        self.reason = reason
        self.causes = causes
    }

    /// The reason together with those of its causes.
    public var explanation: ErrorReason {
        guard let inner = ErrorReason.all(of: causes.map(\.explanation)) else { return reason }
        return ErrorReason("because", ["reason": .reason(reason), "problem": .reason(inner)])
    }
}
