import PluginCore
import PluginRouter

/// A composition with the routes that its rules make.
struct ComposedRoutes: Sendable {
    /// The app's parts.
    let composition: Composition
    /// One route a rule.
    let routes: [Route]

    /// An app that is made of whatever is installed.
    static let none = ComposedRoutes(composition: Composition(name: "", start: nil, bundles: []), routes: [])

    /// The address that a session starts with; `nil` for none.
    var start: String? { composition.start }

    /// The bundle whose addresses start like `uri`, or `nil`.
    func member(for uri: ResourceURI) -> String? {
        let heads = RoutePattern.heads(matching: uri)
        return composition.bundles.first { member in
            (try? RoutePattern(member.uri)).map { !Set(heads).isDisjoint(with: $0.heads) } ?? false
        }?.pkg
    }

    /// The route that a rule makes.
    ///
    /// - Throws: ``AtriumError`` whose detail says what is wrong with the rule.
    static func route(
        _ key: String, _ value: String, of member: Composition.Member
    ) throws(AtriumError) -> Route {
        let page = try ResourceURI(value)
        guard 1...2 ~= page.segments.count, page.scheme == nil, !page.segments.contains("") else {
            throw AtriumError(.compositionInvalid, value, detail: "\"\(value)\" is no page's name and no layout/pageId")
        }
        let isLayout = page.segments.count == 2
        return Route(
            pattern: try RoutePattern(key.isEmpty ? member.uri : "\(member.uri)/\(key)"), kind: .page,
            owner: member.pkg,
            service: .declared(
                name: page.segments[page.segments.count - 1],
                layout: isLayout ? page.segments.joined(separator: "/") : nil
            ),
            parameters: page.parameters
        )
    }
}
