public import PluginCore

/// The requests that wait until their bundles are available. Their number and their waiting time are limited.
///
/// The queue contains each request only once. It is a value that a host can store in a file, and the caller passes the current time.
///
/// ```swift
/// var queue = DeferredQueue()
/// try queue.add(ResourceURI("app://shop/item/42"), for: .external, at: now)
/// for request in queue.due(at: now) { print(request) }
/// ```
public struct DeferredQueue: Hashable, Sendable, Codable {
    /// The waiting requests in order of arrival.
    public private(set) var requests: [DeferredRequest] = []

    /// Creates an empty queue.
    public init() {}

    /// Adds a request. One that already waits keeps its place, and its waiting time starts again.
    ///
    /// - Parameters:
    ///   - uri: The address.
    ///   - userInfo: Must be empty, because only the address is stored.
    ///   - origin: The caller.
    ///   - now: The current time in seconds since 1970.
    ///   - limits: The maximum number of requests and their maximum waiting time. These are not stored in the queue.
    /// - Throws: ``AtriumError`` with code `notDeferrable` for a request with user info, or `deferredFull` if the queue is full even after
    ///   removing expired requests.
    public mutating func add(
        _ uri: ResourceURI, userInfo: ActionParameters = [:], for origin: RequestOrigin, at now: Int64,
        within limits: RouterLimits = .standard
    ) throws(AtriumError) {
        guard userInfo.names.isEmpty else {
            throw AtriumError(
                .notDeferrable, uri.text, reason: "valuesNotSaved", ["names": .list(userInfo.names.sorted())])
        }
        let request = DeferredRequest(address: uri.text, origin: origin, time: now)
        if let place = requests.firstIndex(where: { $0.isSame(as: request) }) {
            requests[place] = request
            return
        }
        // Otherwise expired requests remain, so that they are reported together with those that are opened.
        if requests.count >= limits.deferredRequests { dropExpired(at: now, within: limits) }
        guard requests.count < limits.deferredRequests else {
            throw AtriumError(.deferredFull, uri.text, reason: "queueFull", ["count": .integer(requests.count)])
        }
        requests.append(request)
    }

    /// Returns the requests that have not expired, in order.
    public func due(at now: Int64, within limits: RouterLimits = .standard) -> [DeferredRequest] {
        requests.filter { !Self.isExpired($0, at: now, limits) }
    }

    /// Removes a request, whatever its time.
    ///
    /// - Returns: Whether the queue contained it.
    @discardableResult
    public mutating func remove(_ request: DeferredRequest) -> Bool {
        let count = requests.count
        requests.removeAll { $0.isSame(as: request) }
        return requests.count < count
    }

    /// Adds a removed request again.
    ///
    /// - Parameter place: The index at which to insert it, if the queue has so many requests.
    /// - Returns: `false` if the queue has become full. The request is not added then.
    @discardableResult
    public mutating func putBack(
        _ request: DeferredRequest, at place: Int, within limits: RouterLimits = .standard
    ) -> Bool {
        if requests.contains(where: { $0.isSame(as: request) }) { return true }
        guard requests.count < limits.deferredRequests else { return false }
        requests.insert(request, at: min(max(place, 0), requests.count))
        return true
    }

    /// Removes the expired requests.
    ///
    /// - Returns: The removed requests.
    @discardableResult
    public mutating func dropExpired(at now: Int64, within limits: RouterLimits = .standard) -> [DeferredRequest] {
        let expired = requests.filter { Self.isExpired($0, at: now, limits) }
        requests.removeAll { Self.isExpired($0, at: now, limits) }
        return expired
    }

    private static func isExpired(_ request: DeferredRequest, at now: Int64, _ limits: RouterLimits) -> Bool {
        // The file may contain any number.
        let (age, overflow) = now.subtractingReportingOverflow(request.time)
        return overflow ? now > request.time : age >= limits.deferredLifetime.components.seconds
    }
}

/// A store for the queue, so that it survives a restart of the host. The router never calls it concurrently.
public protocol DeferredStore: Sendable {
    /// Returns the saved queue, or an empty one if none was saved.
    func load() throws -> DeferredQueue

    /// Saves the queue in place of the previous one.
    func save(_ queue: DeferredQueue) throws
}
