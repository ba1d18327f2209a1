import PluginCatalog
import PluginCore
import PluginRouter
import PluginRuntime
import Console
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The stored addresses that wait until their bundle is ready, also across restarts of the process.
///
/// The router's limits bound their number and lifetime.
struct DeferredRequests: Sendable {
    private let file: DeferredFile
    private let limits: RouterLimits
    /// A clock that returns the time in seconds since 1970.
    let now: @Sendable () -> Int64

    /// Creates the access to a file of stored requests.
    ///
    /// - Parameter now: a clock that returns the time in seconds since 1970.
    init(
        _ file: DeferredFile, limits: RouterLimits = .standard,
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
        self.file = file
        self.limits = limits
        self.now = now
    }

    /// Returns the waiting requests in the order in which they are tried.
    ///
    /// - Throws: the errors of ``DeferredFile/load()``.
    func waiting() throws -> [DeferredRequest] {
        try file.load().due(at: now(), within: limits)
    }

    /// Returns the time at which a request expires, in seconds since 1970.
    func end(of request: DeferredRequest) -> Int64 {
        let (end, overflow) = request.time.addingReportingOverflow(limits.deferredLifetime.components.seconds)
        return overflow ? .max : end
    }

    /// Stores an address for an origin; an address that is already stored keeps its position and gets a new lifetime.
    ///
    /// - Returns: the stored request.
    /// - Throws: ``AtriumError`` with code `deferredFull`, and the errors of writing the file.
    @discardableResult
    func save(_ uri: ResourceURI, for origin: RequestOrigin) throws -> DeferredRequest? {
        try file.change { queue in
            try queue.add(uri, for: origin, at: now(), within: limits)
            return queue.requests.first { $0.address == uri.text && $0.origin == origin }
        }
    }

    /// Removes all requests and returns them.
    func clear() throws -> [DeferredRequest] {
        try file.change { queue in
            defer { queue = DeferredQueue() }
            return queue.requests
        }
    }
}

extension HostCall {
    /// The waiting requests of the sandbox; a damaged file that was set aside is reported on standard error.
    var deferred: DeferredRequests {
        DeferredRequests(
            DeferredFile(manager.sandbox) { error in
                StandardOutput.note(error.report.text(for: Terminal(.error)))
            })
    }

    /// Returns whether an address that could not be opened may open later.
    ///
    /// An unknown route may still be served by a plugin of the catalog while the catalog is unreachable.
    func mayOpenLater(_ error: any Error) -> Bool {
        if Router.isDeferrable(error) { return true }
        guard let code = (error as? AtriumError)?.code, [.routeUnknown, .targetUnknown].contains(code) else {
            return false
        }
        return (try? manager.offers.catalog.requireReachable()) == nil
    }

    /// Returns a waiting request as JSON.
    func json(_ request: DeferredRequest) -> JSONText {
        [
            "url": .string(request.address), "origin": .string(request.origin.description),
            "since": .string(timestamp(request.time)), "until": .string(timestamp(deferred.end(of: request))),
        ]
    }
}

extension Failure {
    /// The members of the report for use in a larger JSON object.
    var jsonMembers: [(String, JSONText)] {
        guard case .object(let members) = report.json else { return [] }
        return members
    }
}
