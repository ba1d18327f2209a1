/// The requests that an interceptor inspects.
public enum InterceptorScope: Hashable, Sendable {
    /// All requests.
    case everything
    /// The requests for addresses of a scheme.
    case scheme(String)
    /// The requests for routes of a bundle, given by its identifier.
    case bundle(String)
    /// The requests for the route of a pattern, whichever bundle owns it.
    case route(String)
}
