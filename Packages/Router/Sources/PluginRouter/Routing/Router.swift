public import PluginCore

/// The router of the host: finds the route of an address, asks the interceptors, loads its bundle, and shows a page or runs a handler.
///
/// Routes come from manifests, through the directory and without loading code, and from code, through a leased router. If only the catalog
/// has the bundle, it is installed, and the original request continues with all its parameters.
///
/// Only the host decides who the caller is: a bundle gets a router that makes requests on its behalf (``leased(to:)``), and for links and
/// extensions the host chooses one (``routing(for:)``). Requests through the host's router are requests of the host. A router has no state
/// but the registrations, so several of one host are the same.
///
/// ```swift
/// try await router.intercept(.scheme("app"), by: SignIn())
/// try await router.routing(for: .external).open("app://shop/item/42")
/// ```
public struct Router: Routing, HostReference {
    package let ports: RouterPorts
    package let directory: any RouteDirectory
    let mediator: any Mediating
    let navigator: any Navigator
    /// The types of captures in all patterns that the router parses.
    let converters: RouteConverters
    /// The caller, which only the host chooses.
    private(set) var origin = RequestOrigin.host
    /// The lease of what is registered through this router, or nil if nothing can be registered.
    private(set) var lease: Lease?

    /// Creates the router of a host.
    ///
    /// - Parameters:
    ///   - ports: What the host provides.
    ///   - directory: The routes of manifests.
    ///   - mediator: Performs guards.
    ///   - navigator: Shows pages.
    ///   - converters: The types of captures.
    public init(
        _ ports: RouterPorts, directory: any RouteDirectory, mediator: any Mediating, navigator: any Navigator,
        converters: RouteConverters = .standard
    ) {
        self.ports = ports
        self.directory = directory
        self.mediator = mediator
        self.navigator = navigator
        self.converters = converters
        lease = ports.hostLease
    }

    /// Returns the router for one bundle. The bundle is the caller, and its lease holds what is registered.
    public func leased(to lease: Lease) -> any Routing {
        var router = self
        (router.origin, router.lease) = (.plugin(lease.owner), lease)
        return router
    }

    /// Returns the router for a caller without a lease: an external link, an extension, or a page described by data.
    ///
    /// Only the router for the host can register anything.
    public func routing(for origin: RequestOrigin) -> any Routing {
        var router = self
        (router.origin, router.lease) = (origin, origin == .host ? ports.hostLease : nil)
        return router
    }
}

/// An object for a bundle that refers to objects of the host.
protocol HostReference: CustomReflectable {}

extension HostReference {
    /// An empty mirror, because it would expose the host's objects.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The limits of a router for one request.
public struct RouterLimits: Hashable, Sendable {
    /// The default limits.
    public static let standard = Self()

    /// The maximum number of addresses and calls that may lead to one another.
    public var chainDepth = 32
    /// The deadline of routes that do not declare one, and of interceptors.
    public var handlerDeadline = Duration.seconds(30)
    /// The maximum length of an external address in bytes of UTF-8. The default is a common limit of web servers.
    public var externalAddressBytes = 8192
    /// The maximum number of parameters of an external address or call, and separately of the user info.
    public var externalParameters = 64
    /// The maximum length of a parameter's decoded name or value in bytes of UTF-8, for external callers.
    ///
    /// It also applies to the names of targets and actions.
    public var externalValueBytes = 2048

    /// Creates the default limits.
    public init() {}

    /// Throws an error for an external address that is too large, before anything else is checked.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(_ uri: ResourceURI, from origin: RequestOrigin) throws(AtriumError) {
        guard origin == .external else { return }
        let length = uri.text.utf8.count
        if length > externalAddressBytes { throw .tooLarge(uri.text, "addressTooLong", length, externalAddressBytes) }
        let items = uri.parameters.items + (uri.fragmentAddress?.parameters.items ?? [])
        try check(items.count, sizes: items.map { max($0.name.utf8.count, $0.value.utf8.count) }, of: uri.text)
    }

    /// Throws an error for parameters of an external caller that are too large.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(
        _ parameters: ActionParameters, of subject: String, from origin: RequestOrigin
    ) throws(AtriumError) {
        guard origin == .external else { return }
        try check(
            parameters.values.count,
            sizes: parameters.values.map {
                max($0.utf8.count, ParameterSize.bytes(of: $1, upTo: externalValueBytes))
            }, of: subject)
    }

    /// Throws an error for too many parameters, or for one of them that is too large. Their sizes are measured only if they are few.
    private func check(_ count: Int, sizes: @autoclosure () -> [Int], of subject: String) throws(AtriumError) {
        if count > externalParameters { throw .tooLarge(subject, "tooManyParameters", count, externalParameters) }
        guard let longest = sizes().max(), longest > externalValueBytes else { return }
        throw .tooLarge(subject, "parameterTooLong", longest, externalValueBytes)
    }
}

extension AtriumError {
    /// Returns the error for a request that is too large.
    static func tooLarge(_ subject: String, _ reason: String, _ size: Int, _ limit: Int) -> Self {
        // A text that is too long to be opened is too long to be quoted.
        let quoted = subject.prefix(80)
        return Self(
            .requestTooLarge, quoted.endIndex == subject.endIndex ? subject : quoted + "...",
            reason: reason, ["size": .integer(size), "limit": .integer(limit)]
        )
    }
}

/// The measurement of parameter sizes.
enum ParameterSize {
    /// Returns the size of a value in bytes, with texts in UTF-8 and collections with their elements.
    ///
    /// The measurement stops once it exceeds the limit, however large or nested the rest is.
    static func bytes(of value: Any, upTo limit: Int) -> Int {
        if let text = value as? String { return text.utf8.count }
        if let bytes = value as? [UInt8] { return bytes.count }
        // A word for a value that is neither text nor bytes, and for a collection without its elements.
        var size = 8
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
