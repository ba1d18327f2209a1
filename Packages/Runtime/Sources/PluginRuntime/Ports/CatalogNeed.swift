/// A request's need for a bundle that is not installed.
///
/// ```swift
/// RoutePattern.firstSegments(matching: uri).map { CatalogNeed.route(firstSegment: $0) }
/// ```
public enum CatalogNeed: Hashable, Sendable {
    /// The need for a route.
    ///
    /// Routes are grouped by the keys under which the registry stores their patterns: the first segment in lowercase, or an empty text for
    /// patterns that begin with a capture. An address needs those of `RoutePattern.firstSegments(matching:)`.
    case route(firstSegment: String)
    /// The need for a target with actions.
    case target(String)
    /// The need for a service.
    case service(String)
}
