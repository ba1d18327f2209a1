package import PluginCore

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

    /// Returns the error for a library that can't be loaded because a requirement is missing.
    ///
    /// - Parameter report: the result of the check with the available libraries.
    /// - Returns: `nil` when that isn't the reason.
    package func refusal(for report: LibraryReport) -> AtriumError? {
        guard report.findings.contains(where: { $0.rule == .neededLibrary }) else { return nil }
        return refusal { _ in true }
    }

    /// Returns the error for the first library of a bundle that this host cannot load: its own, or one of its extensions'.
    ///
    /// An extension may be linked with the same libraries as its bundle.
    ///
    /// - Parameters:
    ///   - folder: the bundle's folder.
    ///   - dependencies: the libraries of the bundles that it requires, by the names they are needed by.
    ///   - isInstalled: `true` for a version that an earlier host may have installed without having asked for all links.
    ///   - host: the host that is to load them; `nil` for this process.
    package func refusal(
        ofLibrariesOf manifest: Manifest, in folder: FilePath, dependencies: [String: FilePath],
        isInstalled: Bool = false, for host: HostDescription? = nil
    ) -> AtriumError? {
        for contained in [nil] + manifest.extensions.map(Optional.some) {
            var report = LibraryPreflight.validate(
                libraryOf: manifest, extension: contained, in: folder, dependencies: dependencies, for: host)
            // A host can load it all the same, but the process of an extension cannot.
            if isInstalled, contained == nil { report?.findings.removeAll { $0.rule == .unlinkedLibrary } }
            let subject = contained?.identifier.text ?? manifest.identity.description
            if let report, let refusal = refusal(for: report) ?? report.refusal(of: subject) { return refusal }
        }
        return nil
    }

    /// Returns the error for the first missing requirement that satisfies a condition.
    ///
    /// - Returns: `nil` when none does.
    package func refusal(where isOfInterest: (BundleIdentifier) -> Bool) -> AtriumError? {
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

extension [String] {
    fileprivate var arrows: String { joined(separator: " -> ") }
}
