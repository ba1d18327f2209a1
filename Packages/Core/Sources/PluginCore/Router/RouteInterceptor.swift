/// Looks at a request before the route that would serve it does, and lets it pass or not.
///
/// ```swift
/// struct AdultsOnly: RouteInterceptor {
///     let name = "adultsOnly"
///     func intercept(_ request: ResourceRequest) async throws -> Interception {
///         request.captures["age"].flatMap { Int($0) } ?? 0 >= 18 ? .allow : .deny("it is for adults")
///     }
/// }
/// ```
public protocol RouteInterceptor: Sendable {
    /// What listings and errors call it.
    var name: String { get }

    /// Judges a request.
    ///
    /// - Throws: anything; the request then fails with it.
    func intercept(_ request: ResourceRequest) async throws -> Interception
}

/// What an interceptor says to a request.
public enum Interception: Sendable {
    /// The next one is asked, and after the last the route.
    case allow
    /// The request ends with `routeDenied`, and this reason: a clause that continues "because".
    case deny(String)
    /// Another address is opened in its place, for the same origin; a chain that comes back to itself is an error.
    case redirect(ResourceURI)
    /// The request waits, however long a user takes, and then goes on as it was when the condition answers `true`, to what
    /// serves its address by then and to the interceptors that have not let it pass; else it is denied with the reason.
    case suspend(reason: String, until: @Sendable () async throws -> Bool)
}
