import BundleFormat
import HostSystem
package import PluginCore
package import Registry

/// The libraries that a bundle's library is directly or indirectly linked with, according to the requirements in manifests.
///
/// On-demand requirements don't count, because no library can be linked with one that is installed later.
package struct LibraryClosure<Source: Sendable>: Sendable {
    /// The distinct libraries, each before those that need it.
    package private(set) var libraries: [SharedLibrary<Source>] = []
    /// Unmet requirements with the chain of bundles that leads to them.
    ///
    /// Each may or may not be a library, because the kind of a missing bundle is unknown.
    private(set) var missing: [(chain: [String], requirement: BundleRequirement)] = []
    private let root: BundleIdentity

    /// The maximum length of a chain, which only a hostile package exceeds.
    private static var longest: Int { 100 }

    /// Follows the requirements of a bundle.
    ///
    /// - Parameters:
    ///   - identity: the bundle with the requirements.
    ///   - find: returns the bundle with an identifier; `nil` when there is none.
    /// - Throws: ``AtriumError`` with the chain and code `dependencyUnmet` for a library in a version out of range or
    ///   `dependencyConflict` for circular requirements, and the errors of `find`.
    package init(
        of identity: BundleIdentity, _ requirements: [BundleRequirement],
        _ find: (BundleIdentifier) throws(AtriumError) -> RequiredBundle<Source>?
    ) throws(AtriumError) {
        root = identity
        try follow(requirements, from: [identity], find)
    }

    private mutating func follow(
        _ requirements: [BundleRequirement], from chain: [BundleIdentity],
        _ find: (BundleIdentifier) throws(AtriumError) -> RequiredBundle<Source>?
    ) throws(AtriumError) {
        for requirement in requirements where !requirement.isOnDemand {
            let path = chain.map(\.description)
            switch try find(requirement.identifier) {
            case nil: missing.append((path, requirement))
            case .other: continue
            case .library(let library):
                guard requirement.versions.contains(library.identity.version) else {
                    throw unmet(
                        path, requirement, ErrorReason("otherVersion", ["version": "\(library.identity.version)"]))
                }
                if chain.contains(where: { $0.identifier == requirement.identifier }) {
                    throw conflict("libraryCycle", ["path": .list(path + [library.identity.description])])
                }
                guard chain.count < Self.longest else {
                    let last = path.last ?? ""
                    throw conflict("libraryChainTooLong", ["limit": .integer(Self.longest), "last": .text(last)])
                }
                guard !libraries.contains(where: { $0.identity == library.identity }) else { continue }
                if let other = libraries.first(where: { $0.soname == library.soname }) {
                    let (one, soname) = ("\(other.identity)", library.soname)
                    throw conflict(
                        "libraryTwice", ["one": .text(one), "other": "\(library.identity)", "soname": .text(soname)])
                }
                try follow(library.requirements, from: chain + [library.identity], find)
                libraries.append(library)
            }
        }
    }

    private func conflict(_ reason: String, _ values: [String: ErrorReason.Value]) -> AtriumError {
        AtriumError(.dependencyConflict, root, reason: reason, values)
    }

    /// Returns the error for a library that can't be loaded, which is that of a missing requirement if that is the reason.
    func refusal(for diagnosis: LibraryDiagnosis) -> AtriumError? {
        let missing = diagnosis.lacksLibrary ? refusal { _ in true } : nil
        return missing ?? diagnosis.refusal
    }

    /// Returns the error for the first missing requirement that satisfies a condition.
    ///
    /// - Returns: `nil` when none does.
    func refusal(where isOfInterest: (BundleIdentifier) -> Bool) -> AtriumError? {
        missing.first { isOfInterest($0.requirement.identifier) }.map {
            unmet($0.chain, $0.requirement, ErrorReason("notInstalled"))
        }
    }

    private func unmet(_ chain: [String], _ requirement: BundleRequirement, _ why: ErrorReason) -> AtriumError {
        let wanted = "\(requirement.identifier) \(requirement.versions)"
        return AtriumError(
            .dependencyUnmet, root, reason: "requirementChain",
            ["path": .list(chain + [wanted]), "why": .reason(why)])
    }
}

/// A library bundle that other bundles are linked with.
package struct SharedLibrary<Source: Sendable>: Sendable {
    /// The identity of the bundle.
    package let identity: BundleIdentity
    /// The name by which other libraries are linked with it.
    package let soname: String
    /// Its own requirements, including the libraries that it is linked with.
    let requirements: [BundleRequirement]
    /// The location of its library.
    package let source: Source
}

extension SharedLibrary {
    /// Creates the library of a manifest; fails for a bundle of another kind.
    package init?(_ manifest: Manifest, at source: Source) {
        guard manifest.kind == .lib, let entry = manifest.entry else { return nil }
        self.init(identity: manifest.identity, soname: entry, requirements: manifest.requirements, source: source)
    }
}

/// A bundle that another one requires.
package enum RequiredBundle<Source: Sendable>: Sendable {
    /// A library, to be loaded before the bundle that requires it.
    case library(SharedLibrary<Source>)
    /// A bundle of another kind, which no library is linked with.
    case other
}

/// The place of a library in a sandbox.
package typealias PlacedLibrary = (bundle: PluginBundle, file: FilePath)

extension LibraryClosure<PlacedLibrary> {
    /// The versions that contain the libraries.
    package var bundles: [PluginBundle] { libraries.map(\.source.bundle) }
    /// The files of the libraries, by the names by which other libraries are linked with them.
    var files: [String: FilePath] { Dictionary(uniqueKeysWithValues: libraries.map { ($0.soname, $0.source.file) }) }
}

/// The libraries in a sandbox that a bundle's library is linked with.
extension LoadPolicy {
    /// Returns the libraries that must be loaded before a version.
    ///
    /// - Parameter coming: the versions that become active together with this one, and their folders.
    /// - Throws: ``AtriumError`` with code `dependencyUnmet` or `dependencyConflict`.
    package func libraries(
        of bundle: PluginBundle, with coming: [(version: PlacedVersion, folder: FilePath)] = []
    ) throws(AtriumError) -> LibraryClosure<PlacedLibrary> {
        try LibraryClosure(of: bundle.identity, bundle.requirements) { identifier throws(AtriumError) in
            let coming = coming.last { $0.version.bundle.identifier == identifier }
            let active = coming == nil ? try registry.active.version(of: identifier) : nil
            guard let bundle = coming?.version.bundle ?? active else { return nil }
            guard bundle.kind == .lib, let entry = bundle.entry else { return .other }
            let folder = coming?.folder ?? sandbox.folder(of: bundle)
            let path = try BundleShape.libraryPath(of: entry, of: bundle.identity, in: folder)
            return .library(
                SharedLibrary(
                    identity: bundle.identity, soname: entry, requirements: bundle.requirements,
                    source: (bundle, folder.appending(path))))
        }
    }

    /// Checks that the code of a version can be loaded by a host, if it has any.
    ///
    /// - Parameters:
    ///   - folder: the folder of its files.
    ///   - coming: the versions that become active together with this one, and their folders.
    ///   - check: checks each library; `nil` for the check of this host.
    ///   - isInstalled: whether it was installed before, maybe by an earlier host.
    /// - Throws: ``AtriumError`` with code `libraryMissing`, `libraryIncompatible`, `libraryUnloadable`, `dependencyUnmet` or
    ///   `dependencyConflict`.
    package func requireLoadable(
        _ version: PlacedVersion, in folder: FilePath, with coming: [(version: PlacedVersion, folder: FilePath)] = [],
        by check: (any LibraryCheck)? = nil, isInstalled: Bool = true
    ) throws(AtriumError) {
        let closure = try libraries(of: version.bundle, with: coming)
        let entry = version.bundle.entry ?? ""
        _ = try BundleShape.libraryPath(of: entry, of: version.bundle.identity, in: folder)
        let diagnosis = (check ?? transactions.libraryCheck).diagnosis(
            ofLibrariesOf: version.manifest, in: folder, dependencies: closure.files, isInstalled: isInstalled)
        if let refusal = closure.refusal(for: diagnosis) { throw refusal }
    }
}
