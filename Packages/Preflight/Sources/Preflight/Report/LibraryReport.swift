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

    /// A Boolean value that indicates whether no problem was found.
    public var isLoadable: Bool { findings.isEmpty }

    /// Adds a finding, by default with the advice of its rule.
    mutating func add(
        _ rule: LibraryFinding.Rule, _ subject: String, reason: ErrorReason, remedy: ErrorReason? = nil
    ) {
        findings.append(LibraryFinding(rule: rule, subject: subject, what: reason, remedy: remedy ?? rule.remedy))
    }

    /// Adds a finding with the name and the values of its reason.
    mutating func add(
        _ rule: LibraryFinding.Rule, _ subject: String, reason: String, _ values: [String: ErrorReason.Value] = [:],
        remedy: ErrorReason? = nil
    ) {
        add(rule, subject, reason: ErrorReason(reason, values), remedy: remedy)
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

/// The description of a library according to its file.
public struct LibraryFacts: Hashable, Sendable {
    /// The machine, preceded by the address width if that isn't the host's: "x86_64" or "32-bit x86".
    public internal(set) var architecture = ""
    /// The libraries that it needs.
    public internal(set) var needed: [String] = []
    /// The folders in which its libraries are searched for.
    public internal(set) var searchPath: [String] = []
    /// The soname, by which other libraries find it once it is loaded.
    public internal(set) var soname: String?
    /// A Boolean value that indicates whether the file was parsed completely, so that missing parts are known.
    var isRead = false
    /// A Boolean value that indicates whether it exports the entry point.
    public internal(set) var hasEntry = false
    /// The ABI versions of the Core that it was built for; more than one if its parts were built differently.
    public internal(set) var coreABIs: [UInt32] = []
    /// A Boolean value that indicates whether no part was built for another ABI version than this process's.
    var isForCurrentCore: Bool { coreABIs.allSatisfy { $0 == CoreVersion.abi } }
    /// The releases of Core that it was built with.
    public internal(set) var coreReleases: [String] = []
    /// The compilers that built it.
    public internal(set) var compilers: [String] = []
}
