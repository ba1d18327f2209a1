/// Which requests an interceptor looks at.
public enum InterceptorScope: Hashable, Sendable {
    /// All.
    case everything
    /// Those for addresses of a scheme.
    case scheme(String)
    /// Those that a bundle's routes would serve, by the bundle's identifier.
    case bundle(String)
    /// Those that the route of this pattern would serve, whoever owns it.
    case route(String)
}
