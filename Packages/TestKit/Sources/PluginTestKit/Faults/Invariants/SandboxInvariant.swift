/// A property that a sandbox has after every operation, even an interrupted one.
public protocol SandboxInvariant: Sendable {
    /// The name for reports, such as I1.
    var name: String { get }

    /// Returns the violations, one sentence each, or none if the invariant holds.
    ///
    /// - Parameters:
    ///   - state: The sandbox after the fault.
    ///   - reference: The states without faults.
    func violations(in state: SandboxState, _ reference: FaultReference) -> [String]
}

/// The invariants for every sandbox: I1 to I4, I7, I8, and unchanged data.
public let standardInvariants: [any SandboxInvariant] = [
    RegistryIsSound(), ActiveVersionsVerify(), OldOrNewIsActive(), OnlyWholeFoldersAreNamed(),
    MinimumVersionNeverFalls(), TrustedMetadataIsWhole(),
    DataIsUntouched(),
]
