/// An interceptor, which inspects a request before the route handles it and can deny, redirect or suspend it.
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
    /// The name for lists and errors.
    var name: String { get }

    /// Decides about a request.
    ///
    /// - Throws: Any error; the request then fails with it.
    func intercept(_ request: ResourceRequest) async throws -> Interception
}

/// The decision of an interceptor.
public enum Interception: Sendable {
    /// Continue with the next interceptor or, after the last one, with the route.
    case allow
    /// Deny the request with an error that contains this reason, a clause that continues "because".
    case deny(String)
    /// Open another address instead, on behalf of the same caller. A redirection back to an address of the same chain is an error.
    case redirect(ResourceURI)
    /// Suspend the request until a condition returns true. If it returns false, the request is denied with the reason.
    ///
    /// The condition may take as long as a user needs. Afterward the request continues with the route that matches its address by then, and
    /// with the interceptors that have not allowed it yet.
    case suspend(reason: String, until: @Sendable () async throws -> Bool)
}
