import HostSystem
public import PluginCore
import PluginRuntime

/// The result of checking whether a host could load a library, with all problems.
public struct LibraryReport: Hashable, Sendable {
    /// The description of the library, as far as it could be read.
    public internal(set) var facts = LibraryFacts()
    /// The problems; empty when the library can be loaded.
    public internal(set) var findings: [LibraryFinding] = []
    /// Parts of the Swift runtime that it needs and the process hasn't loaded yet.
    public internal(set) var missingRuntime: [FilePath] = []
    /// Libraries that it may need and that couldn't be read, so that missing names may be there.
    var unread: [FilePath] = []

    /// A report with nothing against it yet.
    init() {}

    /// A Boolean value that indicates whether no problem was found.
    public var isLoadable: Bool { findings.isEmpty }

    mutating func add(_ rule: LibraryFinding.Rule, _ subject: String, _ what: ErrorReason, remedy: ErrorReason) {
        findings.append(LibraryFinding(rule, subject, what, remedy: remedy))
    }

    /// Returns the error that lists all findings, if there are any.
    ///
    /// - Parameter subject: the bundle whose library it is.
    /// - Returns: an error with code `libraryMissing` for a missing library, `libraryIncompatible` for a valid one for other
    ///   hosts, else `libraryUnloadable`.
    public func refusal(of subject: String) -> AtriumError? {
        guard let first = findings.first else { return nil }
        if first.rule == .missing {
            return AtriumError(
                .libraryMissing, subject, reason: first.what, problems: findings.dropFirst().map(\.reason))
        }
        if first.rule == .failing { return AtriumError(.inputOutput, subject, reason: first.what) }
        let isSound = findings.allSatisfy(\.rule.isMatterOfHost)
        return AtriumError(
            isSound ? .libraryIncompatible : .libraryUnloadable, subject, problems: findings.map(\.reason))
    }
}
