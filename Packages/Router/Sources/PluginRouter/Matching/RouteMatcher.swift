public import PluginCore

/// Answers which routes serve an address. Frozen: made once by a ``RouteTableBuilder``, then shared by as many readers as
/// there are, without a lock.
///
/// The most specific route comes first: explicit priority, then the leftmost difference (literal, partial, typed capture,
/// capture, `*`, `**`) in the path, then in the fragment, then a scheme before none. When a branch turns out not to match
/// further on, the next is tried. The order of registration never matters.
///
/// ```swift
/// var builder = RouteTableBuilder<Int>()
/// try builder.add(RoutePattern("shop/:id"), owner: "shop", value: 1)
/// try builder.add(RoutePattern("shop/new"), owner: "shop", value: 2)
/// let matcher = builder.build()
/// matcher.first(for: try ResourceURI("app://shop/new"))?.value    // 2
/// ```
public struct RouteMatcher<Value: Sendable>: Sendable {
    @usableFromInline let values: [Value]
    @usableFromInline let index: RouteIndex

    init(values: [Value], index: RouteIndex) {
        self.values = values
        self.index = index
    }

    /// The route that serves an address, or `nil`.
    @inlinable
    public func first(for uri: ResourceURI) -> Match? {
        let text = uri.text
        let hit = index.first(for: text)
        guard let route = hit.route else { return nil }
        return Match(values[route], index, hit, text)
    }

    /// The route that serves the address that `text` spells, or `nil`. Of a text without escapes nothing is copied and
    /// nothing decoded to find it.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`, whether or not a route would look at the part.
    @inlinable
    public func first(for text: String) throws(AtriumError) -> Match? {
        let hit = index.first(for: text)
        guard let route = hit.route else {
            if hit.isMalformed { try RouteIndex.refuse(text) }
            return nil
        }
        return Match(values[route], index, hit, text)
    }

    /// All routes that match an address, the one that serves it first. A pattern of which several forms match is there
    /// once, with the most specific.
    @inlinable
    public func all(for uri: ResourceURI) -> [Match] {
        let text = uri.text
        return index.all(for: text).map { Match(values[Int($0.entry)], index, $0, text) }
    }
}
