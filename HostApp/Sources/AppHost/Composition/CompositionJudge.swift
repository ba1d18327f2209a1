import PluginCore
import PluginRouter

/// What `bundle.json` has to keep to beyond being JSON.
struct CompositionJudge {
    private(set) var problems: [String] = []

    mutating func judge(_ document: JSONValue) -> ComposedRoutes {
        var fields = CompositionFields(document, at: "")
        if let version = fields.number("formatVersion"), version != Double(Composition.formatVersion) {
            // Of a format that nobody here knows nothing else can be judged.
            problems = ["formatVersion: it is not \(Composition.formatVersion); this host is too old for the file"]
            return .none
        }
        let name = fields.text("name") ?? ""
        let start = fields.optionalText("start")
        if let start { check(start, &fields) }
        let bundles = fields.list("bundles")
        fields.reportUnknown()
        problems += fields.problems

        var members: [Composition.Member] = []
        var routes: [Route] = []
        for (index, value) in bundles.enumerated() {
            let (member, made) = judge(value, at: "bundles[\(index)]", after: members)
            members.append(member)
            routes += made
        }
        return ComposedRoutes(composition: Composition(name: name, start: start, bundles: members), routes: routes)
    }

    private func check(_ start: String, _ fields: inout CompositionFields) {
        do {
            _ = try ResourceURI(start)
        } catch {
            fields.add("start", "\"\(start)\" is no address; \(error.detail)")
        }
    }

    private mutating func judge(
        _ value: JSONValue, at place: String, after members: [Composition.Member]
    ) -> (Composition.Member, [Route]) {
        var fields = CompositionFields(value, at: place)
        let uri = fields.text("uri")
        let pkg = fields.text("pkg")
        let member = Composition.Member(uri: uri ?? "", pkg: pkg ?? "", rules: fields.texts("rules"))
        if let uri, !Self.isSegment(uri) {
            fields.add("uri", "\"\(uri)\" is not one segment of an address, such as \"shop\"")
        } else if let uri, let other = members.firstIndex(where: { Nearest.distance($0.uri, uri) == 0 }) {
            fields.add("uri", "\"\(uri)\" belongs to bundles[\(other)]")
        }
        if pkg?.isEmpty == true { fields.add("pkg", "a bundle's identifier is expected here") }
        var routes: [Route] = []
        if let uri, Self.isSegment(uri) {
            for (key, value) in member.rules.sorted(by: { $0.key < $1.key }) {
                do {
                    let route = try ComposedRoutes.route(key, value, of: member)
                    let shapes = Set(route.pattern.shapes)
                    if let other = routes.first(where: { !shapes.isDisjoint(with: $0.pattern.shapes) }) {
                        fields.add("rules[\"\(key)\"]", "\"\(other.pattern.text)\" matches the same addresses")
                    }
                    routes.append(route)
                } catch {
                    fields.add("rules[\"\(key)\"]", error.detail)
                }
            }
        }
        fields.reportUnknown()
        problems += fields.problems
        return (member, routes)
    }

    private static func isSegment(_ text: String) -> Bool {
        guard let forms = try? RoutePattern(text).forms, forms.count == 1 else { return false }
        return forms[0].scheme == nil && forms[0].path.count == 1 && forms[0].fragment == nil && !forms[0].head.isEmpty
    }
}
