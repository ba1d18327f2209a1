import PluginCore
import PluginRouter

extension CompositionFields {
    /// Reads the bundle that these fields describe.
    mutating func member(
        after others: [ComposedRoutes.Member], _ converters: RouteConverters
    ) -> ComposedRoutes.Member {
        let uri = text("uri")
        let pkg = text("pkg")
        var read = ComposedRoutes.Member(
            uri: uri ?? "", pkg: pkg ?? "", guards: guards(), updates: choice("updates"),
            versions: value("version", "notVersionRange") { VersionRange($0) })
        if let uri, !Self.isSegment(uri) {
            add("uri", "notSegment", ["text": .text(uri)])
        } else if let uri, let other = others.firstIndex(where: { Nearest.distance($0.uri, uri) == 0 }) {
            add("uri", "segmentUsed", ["text": .text(uri), "index": .integer(other)])
        }
        if pkg?.isEmpty == true {
            add("pkg", "identifierExpected")
        } else if let pkg, BundleIdentifier(pkg) == nil {
            add("pkg", "notIdentifier", ["text": .text(pkg)])
        }
        for (key, value) in members("rules") {
            guard let rule = rule(key, value, of: read, converters), Self.isSegment(read.uri) else {
                continue
            }
            let canonicalKeys = Set(rule.pattern.canonicalKeys)
            if let other = read.rules.first(where: { !canonicalKeys.isDisjoint(with: $0.pattern.canonicalKeys) }) {
                add("rules[\"\(key)\"]", "sameAddresses", ["pattern": .text(other.pattern.text)])
            }
            read.rules.append(rule)
        }
        if let pattern = try? RoutePattern(read.uri),
            !read.rules.contains(where: { $0.pattern.canonicalKeys.contains(pattern.canonicalKeys[0]) })
        {
            read.entry = ComposedRule(pattern: pattern, owner: read.pkg, page: ("", nil), parameters: [])
        }
        return read
    }

    /// Reads a rule, which is either the name of a page or an object.
    private mutating func rule(
        _ key: String, _ value: JSONValue, of member: ComposedRoutes.Member, _ converters: RouteConverters
    ) -> ComposedRule? {
        let field = "rules[\"\(key)\"]"
        var (page, exposure, guards, priority) = (value.text, nil as Exposure?, [String](), nil as Int?)
        if value.members != nil {
            (page, exposure, guards, priority) = object(value, in: field) { fields in
                let page = fields.text("page")
                let exposure: Exposure? = fields.choice("exposure")
                return (page, exposure, fields.guards(), fields.optionalInteger("priority"))
            }
        } else if page == nil {
            add(field, "stringOrObjectExpected")
        }
        guard let page else { return nil }
        do {
            let address = try ResourceURI(page)
            guard let target = ComposedRule.page(address) else {
                add(field, "notPage", ["text": .text(page)])
                return nil
            }
            guard Self.isSegment(member.uri) else { return nil }
            // Other systems write "/xib" for an address below that of the bundle.
            let path = ([member.uri] + key.split(separator: "/").map(String.init)).joined(separator: "/")
            return ComposedRule(
                pattern: try RoutePattern(path, converters: converters), owner: member.pkg, page: target,
                parameters: address.parameters, exposure: exposure, guards: guards, priority: priority ?? 0)
        } catch {
            add(field, error.reason ?? .error(error))
            return nil
        }
    }

    private static func isSegment(_ text: String) -> Bool {
        guard let expansions = try? RoutePattern(text).expansions, expansions.count == 1 else { return false }
        return expansions[0].scheme == nil && expansions[0].path.count == 1 && expansions[0].fragment == nil
            && !expansions[0].firstSegment.isEmpty
    }
}

extension ComposedRule {
    /// Parses the page in the value of a rule, without its query.
    fileprivate static func page(_ address: ResourceURI) -> Page? {
        let segments = address.segments
        guard address.scheme == nil, segments.count <= 2 else { return nil }
        if segments.count < 2 { return (segments.first ?? "", nil) }
        return segments.contains("") ? nil : (segments[1], segments.joined(separator: "/"))
    }
}
