import HostSystem
import PluginCore
import PluginRouter

extension ManifestFields {
    /// Reads the bundle that these fields describe.
    func member(after others: [ComposedRoutes.Member], _ converters: RouteConverters) -> ComposedRoutes.Member {
        let uri = text("uri", isRequired: true)
        let pkg = text("pkg", isRequired: true)
        var read = ComposedRoutes.Member(
            uri: uri ?? "", pkg: pkg ?? "", guards: guards(), updates: choice("updates"),
            versions: parsed("version", or: "notVersionRange"))
        if let uri, !Self.isSegment(uri) {
            report("uri", "notSegment", ["text": .text(uri)])
        } else if let uri, let other = others.firstIndex(where: { Nearest.distance($0.uri, uri) == 0 }) {
            report("uri", "segmentUsed", ["text": .text(uri), "index": .integer(other)])
        }
        if pkg?.isEmpty == true {
            report("pkg", "identifierExpected")
        } else if let pkg, BundleIdentifier(pkg) == nil {
            report("pkg", "notIdentifier", ["text": .text(pkg)])
        }
        entries("rules") { entries, key in
            guard let rule = entries.rule(key, of: read, converters) else { return }
            let canonicalKeys = Set(rule.pattern.canonicalKeys)
            if let other = read.rules.first(where: { !canonicalKeys.isDisjoint(with: $0.pattern.canonicalKeys) }) {
                entries.report(key, "sameAddresses", ["pattern": .text(other.pattern.text)])
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
    private func rule(
        _ key: String, of member: ComposedRoutes.Member, _ converters: RouteConverters
    ) -> ComposedRule? {
        var (page, exposure, guards) = (value(key, ifOf: String.self), nil as Exposure?, [String]())
        var priority = 0
        if page == nil {
            page = object(key, or: "stringOrObjectExpected") { fields in
                let page = fields.text("page", isRequired: true)
                (exposure, guards, priority) = (
                    fields.choice("exposure"), fields.guards(), fields.value("priority") ?? 0
                )
                return page
            }.flatMap(\.self)
        }
        guard let page else { return nil }
        do {
            let address = try ResourceURI(page)
            guard let target = ComposedRule.page(address) else {
                report(key, "notPage", ["text": .text(page)])
                return nil
            }
            guard Self.isSegment(member.uri) else { return nil }
            // Other systems write "/xib" for an address below that of the bundle.
            let path = ([member.uri] + key.split(separator: "/").map(String.init)).joined(separator: "/")
            return ComposedRule(
                pattern: try RoutePattern(path, converters: converters), owner: member.pkg, page: target,
                parameters: address.parameters, exposure: exposure, guards: guards, priority: priority)
        } catch {
            problems.add(place(of: key), error.reason ?? .error(error))
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
