/// The declarations of a bundle: its identity, what it provides and what it requires.
///
/// The host reads them from `manifest.json` without loading the bundle's code. PluginRuntime's `ManifestReader` reads the file and reports
/// all of its problems at once.
public struct Manifest: Hashable, Sendable {
    /// The identifier and the version.
    public let identity: BundleIdentity
    /// The display name.
    public let name: String
    /// A one-sentence description, which may be empty.
    public let summary: String
    /// The kind of bundle.
    public let kind: BundleKind
    /// The file name of the library below the library folder of each platform, or nil for a bundle without code.
    public let entry: String?
    /// The Core ABI version that the bundle was built for.
    public let coreABI: UInt32
    /// The bundles that this one requires.
    public let requirements: [BundleRequirement]
    /// The app groups whose folders the bundle shares.
    public let appGroups: [String]
    /// The routes that the bundle provides.
    public let routes: [RouteDeclaration]
    /// The targets whose actions other bundles may call.
    public let targets: [TargetDeclaration]
    /// The names of the services that the bundle provides.
    public let services: [String]
    /// The extensions that the bundle contains.
    public let extensions: [ExtensionDeclaration]
    /// The extension points at which the bundle accepts extensions of other bundles.
    public let extensionPoints: [ExtensionPointDeclaration]
    /// The permissions that the bundle asks for.
    public let permissions: [BundlePermission]
    /// The process in which the bundle's code runs.
    public let isolation: BundleIsolation
    /// The version of the data that the bundle writes. A version of the bundle with a higher number starts on a copy of the data.
    public let dataVersion: Int
    /// The number of bytes of data that may be copied for a higher data version.
    public let dataCopyLimit: UInt64
    /// The license, an SPDX expression such as `Apache-2.0 OR MIT`, or nil.
    public let license: String?
    /// The address of the bundle's web page, or nil.
    public let homepage: String?

    /// The number of bytes of data that may be copied if a manifest names none: 1 GiB.
    public static let defaultDataCopyLimit: UInt64 = 1 << 30

    /// Creates a manifest without validating it.
    public init(
        identity: BundleIdentity, name: String, summary: String = "", kind: BundleKind, entry: String?,
        coreABI: UInt32 = CoreVersion.abi, requirements: [BundleRequirement] = [], appGroups: [String] = [],
        routes: [RouteDeclaration] = [], targets: [TargetDeclaration] = [],
        services: [String] = [], extensions: [ExtensionDeclaration] = [],
        extensionPoints: [ExtensionPointDeclaration] = [], permissions: [BundlePermission] = [],
        isolation: BundleIsolation = .host, dataVersion: Int = 0, dataCopyLimit: UInt64 = Self.defaultDataCopyLimit,
        license: String? = nil, homepage: String? = nil
    ) {
        self.dataVersion = dataVersion
        self.dataCopyLimit = dataCopyLimit
        self.license = license
        self.homepage = homepage
        self.extensions = extensions
        self.extensionPoints = extensionPoints
        self.permissions = permissions
        self.isolation = isolation
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

/// The kind of a bundle.
@frozen
public enum BundleKind: String, Hashable, Sendable, CaseIterable {
    /// A business plugin.
    case app
    /// A library that other bundles share.
    case lib
    /// Resources without code.
    case assets
}

/// A bundle that another bundle requires.
public struct BundleRequirement: Hashable, Sendable {
    /// The identifier of the required bundle.
    public let identifier: BundleIdentifier
    /// The acceptable versions.
    public let versions: VersionRange
    /// A Boolean value that indicates whether the bundle is installed only when a call or address first needs it.
    ///
    /// Other requirements are installed together with the bundle that declares them, and remain installed as long as it does.
    public let isOnDemand: Bool

    /// Creates a requirement.
    public init(identifier: BundleIdentifier, versions: VersionRange, isOnDemand: Bool = false) {
        self.identifier = identifier
        self.versions = versions
        self.isOnDemand = isOnDemand
    }
}
