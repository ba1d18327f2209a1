/// Something that holds for a sandbox after an operation, whatever has interrupted it.
public protocol SandboxInvariant: Sendable {
    /// What reports call it, such as `I1`.
    var name: String { get }

    /// What speaks against it, a sentence each; nothing when it holds.
    ///
    /// - Parameters:
    ///   - state: the sandbox as it was left.
    ///   - reference: what there is without faults.
    func violations(in state: SandboxState, _ reference: FaultReference) -> [String]
}

/// Those of every sandbox: I1 to I4, I7, and that data is untouched.
public let standardInvariants: [any SandboxInvariant] = [
    RegistryIsSound(), ActiveVersionsVerify(), OldOrNewIsActive(), OnlyWholeFoldersAreNamed(), FloorNeverFalls(),
    DataIsUntouched(),
]
