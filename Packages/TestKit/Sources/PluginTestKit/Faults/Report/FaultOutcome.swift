/// What came of one fault.
public struct FaultOutcome: Sendable {
    /// What went wrong.
    public let fault: Fault
    /// Where.
    public let point: FaultPoint
    /// A Boolean value that indicates whether the call was reached. A fault that never happened shows nothing.
    public internal(set) var isTried = false
    /// How the command ended, as shells count; `nil` when it did not, or was not run.
    public internal(set) var status: Int32?
    /// What does not hold.
    public internal(set) var violations: [FaultViolation] = []
    /// The command under strace(1), for a person; for a power cut, what was lost.
    public internal(set) var commandLine = ""
}

/// Something that does not hold after a fault.
public struct FaultViolation: Sendable, Hashable {
    /// Which promise: the name of a ``SandboxInvariant``; `I5`, that the same command succeeds; `done`, that who says so has
    /// done it; `crash` and `hang`, that nothing ends or holds the host but the fault; `blame`, that a failing call is
    /// told as one, by exit status 69, 74 or 75.
    public let invariant: String
    /// What speaks against it.
    public let message: String

    init(_ invariant: String, _ message: String) {
        self.invariant = invariant
        self.message = message
    }
}
