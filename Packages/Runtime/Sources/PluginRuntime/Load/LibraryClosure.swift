import PluginCore

/// The libraries that a bundle's library is linked with, and those that these are linked with, found by what manifests
/// require. What is on demand is no part of it: no library can be linked with what may come later.
struct LibraryClosure<Source: Sendable>: Sendable {
    /// The libraries, each once, and before all that need it.
    private(set) var libraries: [SharedLibrary<Source>] = []
    /// Requirements that nobody meets, each with the bundles that lead there. Whether a library is missing is not known: a bundle
    /// that is not there has no kind.
    private(set) var missing: [(chain: [String], requirement: BundleRequirement)] = []
    private let root: BundleIdentity

    /// Chains that are longer are nobody's but an attacker's.
    private static var longest: Int { 100 }

    /// Follows requirements.
    ///
    /// - Parameters:
    ///   - identity: whose they are.
    ///   - find: what is there under an identifier; `nil` for nothing.
    /// - Throws: ``AtriumError`` with code `dependencyUnmet` for a library in a version that is not wanted, `dependencyConflict`
    ///   for libraries that need each other, each naming the chain; and what `find` throws.
    init(
        of identity: BundleIdentity, _ requirements: [BundleRequirement],
        _ find: (String) throws(AtriumError) -> RequiredBundle<Source>?
    ) throws(AtriumError) {
        root = identity
        try follow(requirements, from: [identity], find)
    }

    private mutating func follow(
        _ requirements: [BundleRequirement], from chain: [BundleIdentity],
        _ find: (String) throws(AtriumError) -> RequiredBundle<Source>?
    ) throws(AtriumError) {
        for requirement in requirements where !requirement.isOnDemand {
            let path = chain.map(\.description)
            switch try find(requirement.identifier) {
            case nil: missing.append((path, requirement))
            case .other: continue
            case .library(let library):
                guard requirement.versions.contains(library.identity.version) else {
                    throw unmet(path, requirement, "there is \(library.identity.version)")
                }
                if chain.contains(where: { $0.identifier == requirement.identifier }) {
                    throw AtriumError(
                        .dependencyConflict, root.description,
                        detail: "libraries need each other: \((path + [library.identity.description]).arrows)")
                }
                guard chain.count < Self.longest else {
                    throw AtriumError(
                        .dependencyConflict, root.description,
                        detail:
                            "more than \(Self.longest) libraries in a row need the next one, up to \(path.last ?? "")")
                }
                guard !libraries.contains(where: { $0.identity == library.identity }) else { continue }
                if let other = libraries.first(where: { $0.soname == library.soname }) {
                    throw AtriumError(
                        .dependencyConflict, root.description,
                        detail: "\(other.identity) and \(library.identity) both have a library \(library.soname)")
                }
                try follow(library.requirements, from: chain + [library.identity], find)
                libraries.append(library)
            }
        }
    }

    /// The refusal of who cannot be loaded because of what is missing; `nil` when that is not the reason.
    ///
    /// - Parameter verdict: what the preflight says with the libraries that are there.
    func refusal(for verdict: LibraryVerdict) -> AtriumError? {
        guard verdict.findings.contains(where: { $0.rule == .neededLibrary }) else { return nil }
        return refusal { _ in true }
    }

    /// The refusal of who requires what is missing, for the first that is of interest; `nil` when none is.
    func refusal(where isOfInterest: (String) -> Bool) -> AtriumError? {
        missing.first { isOfInterest($0.requirement.identifier) }.map {
            unmet($0.chain, $0.requirement, "it is not installed")
        }
    }

    private func unmet(_ chain: [String], _ requirement: BundleRequirement, _ why: String) -> AtriumError {
        let wanted = "\(requirement.identifier) \(requirement.versions)"
        return AtriumError(
            .dependencyUnmet, root.description, detail: "\((chain + [wanted]).arrows), and \(why)")
    }
}

extension [String] {
    fileprivate var arrows: String { joined(separator: " -> ") }
}
