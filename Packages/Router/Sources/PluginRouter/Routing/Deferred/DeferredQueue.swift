public import PluginCore

/// Requests whose bundle is not ready: so many and no more, each once, and none for ever. A value that a host can keep in a
/// file; what time it is, it is told.
///
/// ```swift
/// var queue = DeferredQueue()
/// try queue.add(ResourceURI("app://shop/item/42"), for: .external, at: now)
/// for request in queue.due(at: now) { ... }
/// ```
public struct DeferredQueue: Hashable, Sendable, Codable {
    /// What waits, in the order in which it came.
    public private(set) var requests: [DeferredRequest] = []

    /// An empty queue.
    public init() {}

    /// Adds a request. One that waits already keeps its place, and waits from now on.
    ///
    /// - Parameters:
    ///   - uri: the address.
    ///   - userInfo: must be empty, for nothing but the address is kept.
    ///   - origin: who asks.
    ///   - now: seconds since 1970.
    ///   - limits: how many may wait, and how long; they are the host's, and not kept with the queue.
    /// - Throws: ``AtriumError`` with code `notDeferrable` for one with user info, or `deferredFull`; what has waited too long
    ///   makes room first.
    public mutating func add(
        _ uri: ResourceURI, userInfo: ActionParameters = [:], for origin: RequestOrigin, at now: Int64,
        within limits: RouterLimits = .standard
    ) throws(AtriumError) {
        guard userInfo.names.isEmpty else {
            let names = userInfo.names.sorted().joined(separator: ", ")
            throw AtriumError(.notDeferrable, uri.text, detail: "values come along that cannot be kept: \(names)")
        }
        let request = DeferredRequest(address: uri.text, origin: origin, time: now)
        if let place = requests.firstIndex(where: { $0.isSame(as: request) }) {
            requests[place] = request
            return
        }
        // Else they stay, to be reported with those that are opened.
        if requests.count >= limits.deferredRequests { dropExpired(at: now, within: limits) }
        guard requests.count < limits.deferredRequests else {
            throw AtriumError(.deferredFull, uri.text, detail: "\(requests.count) wait already")
        }
        requests.append(request)
    }

    /// What is to be tried now, in order: all that has not waited too long.
    public func due(at now: Int64, within limits: RouterLimits = .standard) -> [DeferredRequest] {
        requests.filter { !Self.isExpired($0, at: now, limits) }
    }

    /// Takes a request out, whenever it was made.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    public mutating func remove(_ request: DeferredRequest) -> Bool {
        let count = requests.count
        requests.removeAll { $0.isSame(as: request) }
        return requests.count < count
    }

    /// Puts a request back that was taken out.
    ///
    /// - Parameter place: how many are to come before it, as far as there are so many.
    /// - Returns: `false` when the queue has filled up since; it waits no more then.
    @discardableResult
    public mutating func putBack(
        _ request: DeferredRequest, at place: Int, within limits: RouterLimits = .standard
    ) -> Bool {
        if requests.contains(where: { $0.isSame(as: request) }) { return true }
        guard requests.count < limits.deferredRequests else { return false }
        requests.insert(request, at: min(max(place, 0), requests.count))
        return true
    }

    /// Takes out what has waited too long.
    ///
    /// - Returns: what that was.
    @discardableResult
    public mutating func dropExpired(at now: Int64, within limits: RouterLimits = .standard) -> [DeferredRequest] {
        let expired = requests.filter { Self.isExpired($0, at: now, limits) }
        requests.removeAll { Self.isExpired($0, at: now, limits) }
        return expired
    }

    private static func isExpired(_ request: DeferredRequest, at now: Int64, _ limits: RouterLimits) -> Bool {
        // A file may hold any number.
        let (age, overflow) = now.subtractingReportingOverflow(request.time)
        return overflow ? now > request.time : age >= limits.deferredLifetime.components.seconds
    }
}

/// Where a host keeps the queue, so that it survives a restart. The router calls it as one at a time.
public protocol DeferredStore: Sendable {
    /// What was saved last; an empty queue when nothing was.
    func load() throws -> DeferredQueue

    /// Keeps the queue in place of what was there.
    func save(_ queue: DeferredQueue) throws
}
