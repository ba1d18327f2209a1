/// What a bundle says about itself in `manifest.json`: what it is, what it offers and what it needs. A host knows all of
/// it without loading any of the bundle's code.
///
/// PluginRuntime's `ManifestReader` reads the file and reports all of its problems at once.
public struct Manifest: Hashable, Sendable {
    /// Identifier and version.
    public let identity: BundleIdentity
    /// The name a person reads.
    public let name: String
    /// One sentence about it; may be empty.
    public let summary: String
    /// What sort of bundle it is.
    public let kind: BundleKind
    /// The library's file name inside `lib/<triple>/`; `nil` for a bundle without code.
    public let entry: String?
    /// The Core ABI version it was built for.
    public let coreABI: UInt32
    /// The bundles it needs.
    public let requirements: [BundleRequirement]
    /// The app groups whose folders it shares.
    public let appGroups: [String]
    /// The addresses it serves.
    public let routes: [RouteDeclaration]
    /// The targets others may call.
    public let targets: [TargetDeclaration]
    /// The services it provides, by name.
    public let services: [String]

    /// Puts a manifest together without judging it.
    public init(
        identity: BundleIdentity, name: String, summary: String = "", kind: BundleKind, entry: String?,
        coreABI: UInt32 = CoreVersion.abi, requirements: [BundleRequirement] = [], appGroups: [String] = [],
        routes: [RouteDeclaration] = [], targets: [TargetDeclaration] = [],
        services: [String] = []
    ) {
        self.services = services
        self.identity = identity
        self.name = name
        self.summary = summary
        self.kind = kind
        self.entry = entry
        self.coreABI = coreABI
        self.requirements = requirements
        self.appGroups = appGroups
        self.routes = routes
        self.targets = targets
    }
}

/// What sort of bundle it is.
@frozen
public enum BundleKind: String, Hashable, Sendable, CaseIterable {
    /// A business plugin.
    case app
    /// A library that other bundles share.
    case lib
    /// Resources without code.
    case assets
}

/// Another bundle that a bundle needs.
public struct BundleRequirement: Hashable, Sendable {
    /// Its identifier.
    public let identifier: String
    /// The versions that will do.
    public let versions: VersionRange
    /// A Boolean value that indicates whether it is brought by the first call or address that needs it. One that is not on demand is installed together with
    /// whoever asks for it, and stays as long.
    public let isOnDemand: Bool

    /// Asks for a bundle.
    public init(identifier: String, versions: VersionRange, isOnDemand: Bool = false) {
        self.identifier = identifier
        self.versions = versions
        self.isOnDemand = isOnDemand
    }
}
