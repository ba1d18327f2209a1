public import PluginCore

/// Whether a host could load a library, and all reasons against it.
public struct LibraryVerdict: Hashable, Sendable {
    /// What the file says about itself, as far as it could be read.
    public internal(set) var facts = LibraryFacts()
    /// All that speaks against loading it; empty when nothing does.
    public internal(set) var findings: [LibraryFinding] = []
    /// Parts of Swift's runtime that it needs and the process has not loaded yet.
    var missingRuntime: [FilePath] = []
    /// Libraries that it may need and that couldn't be read: it may lack nothing.
    var unread: [FilePath] = []

    /// A Boolean value that indicates whether nothing speaks against loading it.
    public var isLoadable: Bool { findings.isEmpty }

    mutating func add(_ rule: LibraryFinding.Rule, _ subject: String, _ what: String, remedy: String) {
        findings.append(LibraryFinding(rule, subject, what, remedy: remedy))
    }

    /// The refusal that lists all findings; `nil` when there are none.
    ///
    /// - Parameter subject: whose library it is.
    /// - Returns: an error with code `libraryMissing` when there is none, `libraryIncompatible` when it is sound and for other
    ///   hosts, else `libraryUnloadable`.
    public func refusal(of subject: String) -> AtriumError? {
        guard let first = findings.first else { return nil }
        if first.rule == .missing {
            return AtriumError(
                .libraryMissing, subject, detail: first.what, problems: findings.dropFirst().map(\.sentence))
        }
        if first.rule == .failing { return AtriumError(.inputOutput, subject, detail: first.what) }
        let isSound = findings.allSatisfy(\.rule.isMatterOfHost)
        return AtriumError(
            isSound ? .libraryIncompatible : .libraryUnloadable, subject, problems: findings.map(\.sentence))
    }
}
