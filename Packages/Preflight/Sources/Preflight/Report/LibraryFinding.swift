public import PluginCore

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
        case .entry: ErrorReason("exportEntry", ["symbol": .text(PluginEntry.symbol)])
        case .coreABI: ErrorReason("rebuildPlugin", ["core": .text(CoreVersion.release)])
        case .compiler: ErrorReason("rebuildWithCompiler")
        case .secondCopy: ErrorReason("linkDynamically")
        default: ErrorReason("buildAndPack")
        }
    }
}
