import PluginCore

extension GraphNode {
    /// Returns the identifier of a route's node.
    static func id(of line: RouteListing.Line) -> String { "route \(line.owner) \(line.source) \(line.pattern)" }

    /// A bundle with the facts of its manifest.
    init(_ manifest: Manifest, team: String?) {
        var facts = [
            Fact("identifier", manifest.identity.identifier.text),
            Fact("version", manifest.identity.version.description), Fact("kind", manifest.kind.rawValue),
        ]
        if !manifest.summary.isEmpty { facts.append(Fact("summary", manifest.summary)) }
        for permission in manifest.permissions { facts.append(Fact("permission", permission.rawValue)) }
        if manifest.isolation != .host { facts.append(Fact("isolation", manifest.isolation.rawValue)) }
        if !manifest.appGroups.isEmpty {
            facts.append(Fact("app groups", manifest.appGroups.joined(separator: ", ")))
        }
        self.init(
            .bundle, manifest.name, id: "bundle \(manifest.identity.identifier)", team: team, facts: facts)
    }

    /// A bundle that others name and that is not installed.
    init(missing identifier: String) {
        let name = identifier.split(separator: ".").last.map(String.init) ?? identifier
        self.init(
            .bundle, name, id: "bundle \(identifier)", isMissing: true, facts: [Fact("identifier", identifier)])
    }

    /// A route with its facts.
    init(_ line: RouteListing.Line) {
        var facts = [
            Fact("kind", line.kind), Fact("exposure", line.exposure), Fact("serves", line.service),
            Fact("declared in", line.source),
        ]
        if line.priority != 0 { facts.append(Fact("priority", String(line.priority))) }
        if let deadline = line.deadline { facts.append(Fact("deadline", "\(deadline) s")) }
        if line.mayDecline { facts.append(Fact("may decline", "yes")) }
        if !line.interceptors.isEmpty {
            facts.append(Fact("interceptors", line.interceptors.joined(separator: ", ")))
        }
        self.init(
            .route, line.pattern, id: Self.id(of: line), parent: "bundle \(line.owner)", isMissing: !line.isInstalled,
            facts: facts)
    }
}
