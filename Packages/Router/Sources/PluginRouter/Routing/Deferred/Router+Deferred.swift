public import PluginCore

/// What became of the requests that waited.
public struct DeferredReport: Sendable {
    /// Those that have been opened.
    public internal(set) var opened: [DeferredRequest] = []
    /// Those whose bundle is still not ready, and why; they wait on.
    public internal(set) var kept: [(request: DeferredRequest, error: any Error)] = []
    /// Those that cannot be opened, and why; they are gone.
    public internal(set) var dropped: [(request: DeferredRequest, error: any Error)] = []
    /// Those that waited too long; they are gone.
    public internal(set) var expired: [DeferredRequest] = []
}

extension Router {
    /// Returns whether an address that failed with this error may be opened once its bundle is ready.
    public static func isDeferrable(_ error: any Error) -> Bool {
        let waits: [AtriumError.Code] = [.catalogUnreachable, .sandboxBusy, .bundleUnavailable]
        return (error as? AtriumError).map { waits.contains($0.code) } ?? false
    }

    /// Keeps an address, to be opened by ``openDeferred(at:)``.
    ///
    /// - Parameters:
    ///   - uri: the address.
    ///   - userInfo: what came along; must be empty.
    ///   - origin: who asks.
    ///   - now: seconds since 1970.
    /// - Throws: ``AtriumError`` with code `notDeferrable`, `deferredFull`, or `requestTooLarge`, and what the store throws.
    public func deferOpening(
        of uri: ResourceURI, userInfo: ActionParameters = [:], for origin: RequestOrigin, at now: Int64
    ) throws {
        try limits.check(uri, from: origin)
        try deferred.change { try $0.add(uri, userInfo: userInfo, for: origin, at: now, within: limits) }
    }

    /// Opens what waits, in order, each for who asked for it. What is not ready yet waits on, from when it was asked for. A
    /// request does not wait while it is tried, so that one that takes the host down with it is not tried again and again.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - open: opens one; unless told, as a push for who asked.
    ///   - mayWait: whether one that failed with an error is to be tried again.
    /// - Returns: what became of each; nothing when another call is at it.
    /// - Throws: what the store throws.
    public func openDeferred(
        at now: Int64, by open: ((DeferredRequest) async throws -> Void)? = nil,
        waitingOn mayWait: (any Error) -> Bool = Router.isDeferrable
    ) async throws -> DeferredReport {
        var report = DeferredReport()
        guard deferred.begin() else { return report }
        defer { deferred.end() }
        let (expired, due) = try deferred.change { queue in
            (queue.dropExpired(at: now, within: limits), queue.due(at: now, within: limits))
        }
        report.expired = expired
        for request in due {
            // Another host of the same store may have been quicker.
            guard try deferred.change({ $0.remove(request) }) else { continue }
            do {
                if let open {
                    try await open(request)
                } else {
                    try await routing(for: request.origin).open(request.address)
                }
                report.opened.append(request)
            } catch {
                // Those that wait on are in front of those that have not been tried yet.
                let place = report.kept.count
                let isKept = try mayWait(error) && deferred.change { $0.putBack(request, at: place, within: limits) }
                if isKept { report.kept.append((request, error)) } else { report.dropped.append((request, error)) }
            }
        }
        return report
    }
}
