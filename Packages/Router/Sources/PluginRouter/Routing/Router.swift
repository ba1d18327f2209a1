public import PluginCore

/// The router of the host: finds the route of an address, asks the interceptors, loads its bundle, and shows a page or runs a handler.
///
/// Routes come from manifests, through the directory and without loading code, and from code, through a leased router. If only the catalog
/// has the bundle, it is installed, and the original request continues with all its parameters.
///
/// Only the host decides who the caller is: a bundle gets a router that makes requests on its behalf (``leased(to:)``), and for links and
/// extensions the host chooses one (``routing(for:)``). Requests through the router itself are requests of the host. A router has no state
/// but the registrations, so several of one host are the same.
///
/// ```swift
/// try await router.intercept(.scheme("app"), by: SignIn())
/// try await router.routing(for: .external).open("app://shop/item/42")
/// ```
public final class Router: Routing, CallerRouting {
    /// The limits for one request.
    public let limits: RouterLimits
    /// The types of captures in all patterns that the router parses.
    public let converters: RouteConverters

    package let directory: any RouteDirectory
    let bundles: any InstalledBundles
    let mediator: any Mediating
    package let onDemandProvider: (any OnDemandProvider)?
    let navigator: any Navigator
    let registrationStore: RegistrationStore
    let clock: any Clock<Duration>
    /// The lease of the host's registrations.
    let host: Lease

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - directory: The routes of manifests.
    ///   - bundles: The installed bundles.
    ///   - mediator: Performs guards.
    ///   - onDemandProvider: The provider of bundles that can be installed, or `nil`.
    ///   - navigator: Shows pages.
    ///   - registrationStore: The registrations of code.
    ///   - limits: The limits for one request.
    ///   - converters: The types of captures.
    ///   - hostLease: The lease of the host's registrations.
    ///   - clock: The clock for deadlines.
    public init(
        directory: any RouteDirectory, bundles: any InstalledBundles, mediator: any Mediating,
        onDemandProvider: (any OnDemandProvider)?, navigator: any Navigator, registrationStore: RegistrationStore,
        limits: RouterLimits = .standard, converters: RouteConverters = .standard,
        hostLease: Lease = Lease(owner: "host"), clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.directory = directory
        self.bundles = bundles
        self.mediator = mediator
        self.onDemandProvider = onDemandProvider
        self.navigator = navigator
        self.registrationStore = registrationStore
        self.limits = limits
        self.converters = converters
        self.clock = clock
        host = hostLease
    }

    /// The deadline for code of bundles that does not declare its own.
    public var handlerDeadline: Deadline { Deadline(limits.handlerDeadline, clock: clock) }

    /// Returns the router for one bundle. The bundle is the caller, and its lease holds what is registered.
    public func leased(to lease: Lease) -> any Routing {
        LeasedRouter(router: self, origin: .plugin(lease.owner), lease: lease)
    }

    /// Returns the router for a caller without a lease: an external link, an extension, or a page described by data.
    ///
    /// Only the router for the host can register anything.
    public func routing(for origin: RequestOrigin) -> any Routing {
        LeasedRouter(router: self, origin: origin, lease: origin == .host ? host : nil)
    }

    var router: Router { self }
    var origin: RequestOrigin { .host }
    var lease: Lease? { host }
}

/// The limits of a router for one request.
public struct RouterLimits: Hashable, Sendable {
    /// The default limits.
    public static let standard = RouterLimits()

    /// The maximum number of addresses and calls that may lead to one another.
    public var chainDepth: Int
    /// The deadline of routes that do not declare one, and of interceptors.
    public var handlerDeadline: Duration
    /// The maximum length of an external address in bytes of UTF-8. The default is a common limit of web servers.
    public var externalAddressBytes: Int
    /// The maximum number of parameters of an external address or call, and separately of the user info.
    public var externalParameters: Int
    /// The maximum length of a parameter's decoded name or value in bytes of UTF-8, for external callers.
    ///
    /// It also applies to the names of targets and actions.
    public var externalValueBytes: Int

    /// Creates limits.
    public init(
        chainDepth: Int = 32, handlerDeadline: Duration = .seconds(30), externalAddressBytes: Int = 8192,
        externalParameters: Int = 64, externalValueBytes: Int = 2048
    ) {
        self.chainDepth = chainDepth
        self.handlerDeadline = handlerDeadline
        self.externalAddressBytes = externalAddressBytes
        self.externalParameters = externalParameters
        self.externalValueBytes = externalValueBytes
    }
}

extension RouterLimits {
    /// Throws an error for an external request whose address or user info is too large.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(_ request: RouteRequest) throws(AtriumError) {
        try check(request.uri, from: request.origin)
        try check(request.userInfo, of: request.uri.text, from: request.origin)
    }

    /// Throws an error for an external address that is too large, before anything else is checked.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(_ uri: ResourceURI, from origin: RequestOrigin) throws(AtriumError) {
        guard origin == .external else { return }
        let length = uri.text.utf8.count
        if length > externalAddressBytes { throw .tooLarge(uri.text, "addressTooLong", length, externalAddressBytes) }
        let items = uri.parameters.items + (uri.fragmentAddress?.parameters.items ?? [])
        let longest = items.map { max($0.name.utf8.count, $0.value.utf8.count) }.max() ?? 0
        try check(items.count, longest: longest, of: uri.text)
    }

    /// Throws an error for parameters of an external caller that are too large.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(
        _ parameters: ActionParameters, of subject: String, from origin: RequestOrigin
    ) throws(AtriumError) {
        guard origin == .external else { return }
        // The count is checked before each parameter is measured.
        try check(parameters.values.count, longest: 0, of: subject)
        let longest = parameters.values.map { name, value in
            max(name.utf8.count, ParameterSize.bytes(of: value, upTo: externalValueBytes))
        }
        try check(parameters.values.count, longest: longest.max() ?? 0, of: subject)
    }

    private func check(_ count: Int, longest: Int, of subject: String) throws(AtriumError) {
        if count > externalParameters { throw .tooLarge(subject, "tooManyParameters", count, externalParameters) }
        guard longest > externalValueBytes else { return }
        throw .tooLarge(subject, "parameterTooLong", longest, externalValueBytes)
    }
}

extension AtriumError {
    /// Returns the error for a request that is too large.
    static func tooLarge(_ subject: String, _ reason: String, _ size: Int, _ limit: Int) -> AtriumError {
        // A text that is too long to be opened is too long to be quoted.
        let quoted = subject.prefix(80)
        return AtriumError(
            .requestTooLarge, quoted.endIndex == subject.endIndex ? subject : quoted + "...",
            reason: reason, ["size": .integer(size), "limit": .integer(limit)]
        )
    }
}

/// The measurement of parameter sizes.
enum ParameterSize {
    /// The size of a value that is neither text nor bytes, and of a collection without its elements.
    private static let word = 8

    /// Returns the size of a value in bytes, with texts in UTF-8 and collections with their elements.
    ///
    /// The measurement stops once it exceeds the limit, however large or nested the rest is.
    static func bytes(of value: Any, upTo limit: Int) -> Int {
        if let text = value as? String { return text.utf8.count }
        if let bytes = value as? [UInt8] { return bytes.count }
        var size = word
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .dictionary, .set, .optional, .tuple:
            for child in mirror.children {
                // Each nested element counts at least one word, so the depth of the recursion is limited.
                if size > limit { break }
                size += bytes(of: child.value, upTo: limit - size)
            }
        default: break
        }
        return size
    }
}
