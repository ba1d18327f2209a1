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

/// A reason why a library can't be loaded.
public struct LibraryFinding: Hashable, Sendable {
    /// The rules that a library can violate.
    public enum Rule: String, Sendable, CaseIterable {
        /// The library doesn't exist.
        case missing
        /// It isn't a regular file, or it exceeds a limit on size or work.
        case unreadable
        /// It can't be read at the moment, which says nothing about the library.
        case failing
        /// It isn't an ELF file.
        case format
        /// The file is truncated.
        case truncated
        /// The file contradicts itself or the format.
        case malformed
        /// It is built for another machine or address width.
        case machine
        /// It is a program or an object file.
        case type
        /// It needs a library that the host doesn't offer.
        case neededLibrary
        /// It is shared but can't be found by its soname, or it isn't shared and could be found.
        case soname
        /// It searches for libraries outside its bundle.
        case searchPath
        /// It uses names that no library defines.
        case undefinedSymbol
        /// It uses names of a library that it isn't linked with, which a host may happen to have loaded.
        case unlinkedLibrary
        /// It needs a version of a name that isn't available.
        case undefinedVersion
        /// It doesn't export the entry point.
        case entry
        /// It was built for another ABI of Core.
        case coreABI
        /// It was built by another compiler.
        case compiler
        /// It contains a copy of a library that may exist only once in a process.
        case secondCopy
        /// It contains code of another bundle.
        case otherBundle
    }

    /// The violated rule.
    public let rule: Rule
    /// The part of the library that the finding is about: a symbol, a file, a machine.
    public let subject: String
    /// The problem, such as a library that it needs.
    public let what: ErrorReason
    /// The advice, which names the person who can follow it.
    public let remedy: ErrorReason

    /// The problem and the advice.
    public var reason: ErrorReason {
        ErrorReason("libraryFinding", ["what": .reason(what), "remedy": .reason(remedy)])
    }
}

extension LibraryFinding.Rule {
    /// A Boolean value that indicates whether the library is valid, but not for this host.
    var isMatterOfHost: Bool {
        switch self {
        case .machine, .coreABI, .compiler, .undefinedVersion: true
        default: false
        }
    }

    /// The advice for findings of the rule that have none of their own.
    var remedy: ErrorReason {
        switch self {
        case .truncated, .malformed: ErrorReason("packLibraryAgain")
        case .neededLibrary: ErrorReason("removeLibrary")
        case .searchPath: ErrorReason("packToRemovePath")
        case .undefinedVersion: ErrorReason("buildOnOlderSystem")
        case .entry: ErrorReason("exportEntry", ["symbol": "\(PluginEntry.symbol)"])
        case .coreABI: ErrorReason("rebuildPlugin", ["core": "\(CoreVersion.release)"])
        case .compiler: ErrorReason("rebuildWithCompiler")
        case .secondCopy: ErrorReason("linkDynamically")
        default: ErrorReason("buildAndPack")
        }
    }
}
