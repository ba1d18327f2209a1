import PluginCore
import PluginRuntime

/// The facts that prevented a change, collected during the search for an error message, in limited number.
struct ResolverFacts {
    /// A requirement of a version.
    struct Need: Hashable {
        let identity: BundleIdentity
        let isInstalled: Bool
        let requirement: BundleRequirement

        /// The reason that names the requirement, such as com.lib ^2.0.0 of com.a@1.2.0.
        var reason: ErrorReason {
            let name =
                isInstalled
                ? requirement.isOnDemand ? "installedNeedsOnDemand" : "installedNeeds"
                : requirement.isOnDemand ? "needsOnDemand" : "needs"
            return ErrorReason(name, .need(of: "\(identity)", requirement))
        }
    }

    private static let limit = 256

    /// The distinct requirements in the order in which they were found.
    private(set) var needs: [Need] = []
    /// The versions whose manifests can't be read.
    private(set) var broken: [SkippedVersion] = []
    private var seen: Set<Need> = []

    mutating func add(_ others: ResolverFacts) {
        for need in others.needs { insert(need) }
        for version in others.broken { insert(version) }
    }

    mutating func insert(_ need: Need) {
        if needs.count < Self.limit, seen.insert(need).inserted { needs.append(need) }
    }

    mutating func insert(_ version: SkippedVersion) {
        guard broken.count < Self.limit, !broken.contains(where: { $0.identity == version.identity }) else { return }
        broken.append(version)
    }
}

extension [String: ErrorReason.Value] {
    /// The values of a reason about a requirement of a bundle.
    static func need(of bundle: String, _ requirement: BundleRequirement) -> Self {
        ["bundle": .text(bundle), "other": .text(requirement.identifier), "versions": "\(requirement.versions)"]
    }
}
