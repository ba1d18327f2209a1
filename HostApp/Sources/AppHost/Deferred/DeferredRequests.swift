import PluginCore
import PluginRouter
import PluginRuntime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Addresses that wait until their bundle is ready, whatever becomes of the process; how many and how long, the router's
/// limits say.
struct DeferredRequests: Sendable {
    private let file: DeferredFile
    private let limits: RouterLimits
    /// The time in seconds since 1970.
    let now: @Sendable () -> Int64

    /// - Parameter now: the time in seconds since 1970.
    init(
        _ file: DeferredFile, limits: RouterLimits = .standard,
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
        self.file = file
        self.limits = limits
        self.now = now
    }

    /// What waits, in the order in which it is tried.
    ///
    /// - Throws: as ``DeferredFile/load()``.
    func waiting() throws -> [DeferredRequest] {
        try file.load().due(at: now(), within: limits)
    }

    /// When a request is of no use any more, in seconds since 1970.
    func end(of request: DeferredRequest) -> Int64 {
        let (end, overflow) = request.time.addingReportingOverflow(limits.deferredLifetime.components.seconds)
        return overflow ? .max : end
    }

    /// Keeps an address for somebody; one that waits already keeps its place and waits from now on.
    ///
    /// - Returns: the request, as it waits.
    /// - Throws: ``AtriumError`` with code `deferredFull`, and what writing the file throws.
    @discardableResult
    func keep(_ uri: ResourceURI, for origin: RequestOrigin) throws -> DeferredRequest? {
        try file.change { queue in
            try queue.add(uri, for: origin, at: now(), within: limits)
            return queue.requests.first { $0.address == uri.text && $0.origin == origin }
        }
    }

    /// Drops everything, and says what that was.
    func clear() throws -> [DeferredRequest] {
        try file.change { queue in
            defer { queue = DeferredQueue() }
            return queue.requests
        }
    }
}
