/// The outcome of a fault.
public struct FaultOutcome: Sendable {
    /// The fault.
    public let fault: Fault
    /// The point at which it was injected.
    public let point: FaultPoint
    /// A Boolean value that indicates whether the call was reached. Otherwise the outcome is meaningless.
    public internal(set) var isTried = false
    /// The exit status as shells report it, or nil if the command did not end or was not run.
    public internal(set) var status: Int32?
    /// The violations.
    public internal(set) var violations: [FaultViolation] = []
    /// The command line of strace or, for a power cut, a description of the loss.
    public internal(set) var commandLine = ""
}

/// A property that does not hold after a fault.
public struct FaultViolation: Sendable, Hashable {
    /// The violated property.
    ///
    /// It is the name of a ``SandboxInvariant`` or one of the following:
    /// - `I5`: The same command succeeds when it is repeated.
    /// - `done`: A command that reports success has done its work.
    /// - `crash` and `hang`: Only the fault may end or block the host.
    /// - `status`: The exit status for a failing call is 69, 74 or 75.
    public let invariant: String
    /// A sentence that describes the violation.
    public let message: String

    init(_ invariant: String, _ message: String) {
        self.invariant = invariant
        self.message = message
    }
}
