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
