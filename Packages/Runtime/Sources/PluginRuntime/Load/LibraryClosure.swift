import BundleFormat
package import PluginCore
import Registry

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
                    throw AtriumError(
                        .dependencyConflict, root.description,
                        reason: "libraryCycle",
                        ["path": .list(path + [library.identity.description])])
                }
                guard chain.count < Self.longest else {
                    throw AtriumError(
                        .dependencyConflict, root.description,
                        reason: "libraryChainTooLong",
                        ["limit": .integer(Self.longest), "last": .text(path.last ?? "")]
                    )
                }
                guard !libraries.contains(where: { $0.identity == library.identity }) else { continue }
                if let other = libraries.first(where: { $0.soname == library.soname }) {
                    throw AtriumError(
                        .dependencyConflict, root.description,
                        reason: "libraryTwice",
                        [
                            "one": "\(other.identity)", "other": "\(library.identity)",
                            "soname": .text(library.soname),
                        ])
                }
                try follow(library.requirements, from: chain + [library.identity], find)
                libraries.append(library)
            }
        }
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
            .dependencyUnmet, root.description, reason: "requirementChain",
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

/// Finds the libraries in a sandbox that a bundle's library is linked with.
struct LibraryResolver: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    /// The bundles that become active together with this one, and their folders.
    var coming: [(version: PlacedVersion, folder: FilePath)] = []

    /// Returns the libraries of an active version, which must be loaded before it.
    ///
    /// - Throws: ``AtriumError`` with code `dependencyUnmet` or `dependencyConflict`.
    func libraries(of bundle: PluginBundle) throws(AtriumError) -> LibraryClosure<PluginBundle> {
        try LibraryClosure<PluginBundle>(of: bundle.identity, bundle.hardRequirements) {
            identifier throws(AtriumError) in
            guard let bundle = try registry.active.version(of: identifier) else { return nil }
            return required(bundle, at: bundle)
        }
    }

    /// Returns the libraries of a version that is to be installed, and their files by name, for checking it.
    ///
    /// - Throws: as ``libraries(of:)``.
    func files(for manifest: Manifest) throws(AtriumError) -> (closure: LibraryClosure<FilePath>, [String: FilePath]) {
        let closure = try LibraryClosure<FilePath>(of: manifest.identity, manifest.requirements) {
            identifier throws(AtriumError) in
            if let (version, folder) = coming.last(where: { $0.version.bundle.identity.identifier == identifier }) {
                guard let entry = version.manifest.entry else { return .other }
                let path = folder.appending(BundleShape.libraryPath(of: entry))
                return SharedLibrary(version.manifest, at: path).map(RequiredBundle.library) ?? .other
            }
            guard let bundle = try registry.active.version(of: identifier) else { return nil }
            guard bundle.kind == .lib else { return .other }
            let path = try BundleFiles(bundle: bundle, sandbox: sandbox).library()
            return required(bundle, at: path)
        }
        let files = closure.libraries.map { ($0.soname, $0.source) }
        return (closure, Dictionary(files) { first, _ in first })
    }

    private func required<Source>(_ bundle: PluginBundle, at source: Source) -> RequiredBundle<Source> {
        guard bundle.kind == .lib, let entry = bundle.entry else { return .other }
        return .library(
            SharedLibrary(
                identity: bundle.identity, soname: entry, requirements: bundle.hardRequirements, source: source))
    }
}
