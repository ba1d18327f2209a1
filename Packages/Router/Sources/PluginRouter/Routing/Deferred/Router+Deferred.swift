public import PluginCore

/// The outcome of opening the deferred requests.
public struct DeferredReport: Sendable {
    /// The requests that were opened.
    public internal(set) var opened: [DeferredRequest] = []
    /// The requests whose bundles are still not available, with the reasons. They keep waiting.
    public internal(set) var kept: [(request: DeferredRequest, error: any Error)] = []
    /// The requests that failed, with the reasons. They were removed.
    public internal(set) var dropped: [(request: DeferredRequest, error: any Error)] = []
    /// The requests that waited too long. They were removed.
    public internal(set) var expired: [DeferredRequest] = []
}

extension Router {
    /// Returns whether an address that failed with an error may be opened later, when its bundle is available.
    public static func isDeferrable(_ error: any Error) -> Bool {
        let waits: [AtriumError.Code] = [.catalogUnreachable, .sandboxBusy, .bundleUnavailable]
        return (error as? AtriumError).map { waits.contains($0.code) } ?? false
    }

    /// Stores an address that is to be opened later.
    ///
    /// - Parameters:
    ///   - uri: The address.
    ///   - userInfo: The user info, which must be empty.
    ///   - origin: The caller.
    ///   - now: The current time in seconds since 1970.
    /// - Throws: ``AtriumError`` with code `notDeferrable`, `deferredFull`, or `requestTooLarge`, and the errors of the store.
    public func deferOpening(
        of uri: ResourceURI, userInfo: ActionParameters = [:], for origin: RequestOrigin, at now: Int64
    ) throws {
        try limits.check(uri, from: origin)
        try deferred.change { try $0.add(uri, userInfo: userInfo, for: origin, at: now, within: limits) }
    }

    /// Opens the deferred requests in order, each on behalf of its original caller.
    ///
    /// Requests whose bundles are still not available keep waiting, with their original times. A request is removed from the queue before
    /// it is opened, so a request that crashes the host is not tried again. If the task is canceled, the request that is being opened and those
    /// after it keep waiting.
    ///
    /// - Parameters:
    ///   - now: The current time in seconds since 1970.
    ///   - open: Opens a request. By default, the address is opened and its page is pushed.
    ///   - mayWait: Returns whether a request that failed with an error is to be tried again.
    /// - Returns: The outcome of each request. It is empty if another call is already opening them.
    /// - Throws: The errors of the store.
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
            // Those that were not tried keep waiting.
            if Task.isCancelled { break }
            // Another host with the same store may have removed it first.
            guard try deferred.change({ $0.remove(request) }) else { continue }
            do {
                if let open {
                    try await open(request)
                } else {
                    try await routing(for: request.origin).open(request.address)
                }
                report.opened.append(request)
            } catch {
                // Requests that keep waiting stay before those that have not been tried yet.
                let place = report.kept.count
                // A canceled one fails with an arbitrary error.
                let isKept =
                    try (Task.isCancelled || mayWait(error))
                    && deferred.change { $0.putBack(request, at: place, within: limits) }
                if isKept { report.kept.append((request, error)) } else { report.dropped.append((request, error)) }
            }
        }
        return report
    }
}
