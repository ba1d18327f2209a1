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
    /// The fields that only a layer above the runtime understands, such as `extensions`, as the text of one JSON object.
    public let layerFields: String
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
    /// The person or organization that makes the bundle, or nil.
    public let author: String?
    /// A description in several sentences, or nil.
    public let description: String?

    /// The number of bytes of data that may be copied if a manifest names none: 1 GiB.
    public static let defaultDataCopyLimit: UInt64 = 1 << 30

    /// Creates a manifest without validating it.
    public init(
        identity: BundleIdentity, name: String, summary: String = "", kind: BundleKind, entry: String?,
        coreABI: UInt32 = CoreVersion.abi, requirements: [BundleRequirement] = [], appGroups: [String] = [],
        routes: [RouteDeclaration] = [], targets: [TargetDeclaration] = [],
        services: [String] = [], layerFields: String = "{}", permissions: [BundlePermission] = [],
        isolation: BundleIsolation = .host, dataVersion: Int = 0, dataCopyLimit: UInt64 = Self.defaultDataCopyLimit,
        license: String? = nil, homepage: String? = nil, author: String? = nil, description: String? = nil
    ) {
        self.dataVersion = dataVersion
        self.dataCopyLimit = dataCopyLimit
        self.license = license
        self.homepage = homepage
        self.author = author
        self.description = description
        self.layerFields = layerFields
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
public enum BundleKind: String, Hashable, Sendable, CaseIterable, Codable {
    /// A business plugin.
    case app
    /// A library that other bundles share.
    case lib
    /// Resources without code.
    case assets
}

/// A permission that a bundle asks for. The user sees it when the bundle is installed.
public enum BundlePermission: String, Hashable, Sendable, CaseIterable {
    /// Connections to other computers.
    case network
}

/// The process in which a bundle's code runs.
public enum BundleIsolation: String, Hashable, Sendable, CaseIterable, Codable {
    /// The process of the host.
    case host
    /// A process of its own.
    case process
}

/// A bundle that another bundle requires.
public struct BundleRequirement: Hashable, Sendable, Codable {
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

/// A route as a manifest declares it.
public struct RouteDeclaration: Hashable, Sendable, Codable {
    /// The pattern, such as shop/item/:id.
    public let pattern: String
    /// The kind of route.
    public let kind: RouteKind
    /// The name by which the bundle knows the route.
    public let name: String
    /// The page of a layout file for a page described by data, which needs no code, or nil.
    ///
    /// Its form is `layout/pageId`.
    public let layout: String?
    /// The actions that must allow a request before the route handles it, in order.
    ///
    /// Each is `Target.action` and answers `true` or `false`.
    public internal(set) var guards: [String]
    /// The priority. Of several matching routes, the one with the highest priority is tried first, even if others are more specific.
    public internal(set) var priority: Int
    /// The callers that may open the route.
    public let exposure: Exposure
    /// The deadline for handling a request, in seconds, or nil for the host's deadline.
    public internal(set) var deadline: Double?
    /// A Boolean value that indicates whether the bundle may decline a request, which then goes to the next matching route.
    ///
    /// The code binds the check with ``RouteBinding/accepting(_:)``.
    public internal(set) var mayDecline: Bool

    /// Creates a declaration.
    public init(
        pattern: String, kind: RouteKind, name: String, layout: String? = nil, guards: [String] = [],
        priority: Int = 0, exposure: Exposure = .plugins, deadline: Double? = nil, mayDecline: Bool = false
    ) {
        self.priority = priority
        self.exposure = exposure
        self.deadline = deadline
        self.mayDecline = mayDecline
        self.pattern = pattern
        self.kind = kind
        self.name = name
        self.layout = layout
        self.guards = guards
    }
}

/// The kind of a route.
public enum RouteKind: String, Hashable, Sendable, CaseIterable, Codable {
    /// Opening the route shows a page.
    case page
    /// Opening the route runs a handler.
    case handler
    /// The route cannot be opened; a request for its object returns a value.
    case object
}

/// A target that a bundle declares in its manifest, with its actions.
public struct TargetDeclaration: Hashable, Sendable, Codable {
    /// The target's name, unique among all installed bundles.
    public let name: String
    /// The actions.
    public let actions: [ActionDeclaration]

    /// Creates a declaration.
    public init(name: String, actions: [ActionDeclaration]) {
        self.name = name
        self.actions = actions
    }
}

/// An action of a target.
public struct ActionDeclaration: Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The action's name, unique within its target.
    public let name: String
    /// The callers that may call the action.
    public let exposure: Exposure

    /// Creates a declaration.
    public init(name: String, exposure: Exposure = .plugins) {
        self.name = name
        self.exposure = exposure
    }

    /// Creates an action that every plugin may call.
    public init(stringLiteral name: String) {
        self.init(name: name)
    }
}
