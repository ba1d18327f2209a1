import Console
import PluginCore
import PluginRouter

extension RouteExplanation {
    /// Where the address goes, what the winner captures, and every candidate with what became of it.
    ///
    /// - Parameter names: whether the routes have owners worth naming; patterns that are tried out have none.
    func text(for terminal: Terminal, naming names: Bool = true) -> String {
        var lines = [outcome(naming: names)]
        if let captures = winner?.captures { lines += Self.captures(captures, of: uri) }
        if !interceptors.isEmpty { lines.append("  asked before: \(printable(interceptors.joined(separator: ", ")))") }
        guard !candidates.isEmpty else { return lines.joined(separator: "\n") + "\n" }
        var table = Table(
            [
                Table.Column("", .trailing, style: .dim), Table.Column("PATTERN", style: .bold),
            ] + (names ? [Table.Column("OWNER"), Table.Column("EXPOSURE"), Table.Column("PRIORITY", .trailing)] : [])
                + [Table.Column("WHAT BECOMES OF IT")])
        for (number, candidate) in candidates.enumerated() {
            let route = candidate.route
            let place = candidate.captures == nil ? "-" : String(number + 1)
            let owner = names ? [route.owner, route.exposure.rawValue, String(route.priority)] : []
            let pattern = route.pattern.text.isEmpty ? "/" : route.pattern.text
            table.add([place, pattern] + owner + ["\(candidate.verdict)"])
        }
        return lines.joined(separator: "\n") + "\n\n" + table.rendered(for: terminal)
    }

    var json: JSONText {
        let winner = winner
        var members: [(String, JSONText)] = [
            ("url", .string(uri.text)), ("origin", .string(origin.description)),
            ("pattern", .string(orNull: winner?.route.pattern.text)),
            ("owner", .string(orNull: winner?.route.owner)),
        ]
        if let captures = winner?.captures { members += PatternTrial.members(of: captures, uri) }
        members += [
            ("interceptors", .strings(interceptors)), ("supplier", .string(orNull: supplier)),
            ("fallbacks", .array(fallbacks.map { .string(orNull: $0?.text) })),
            ("candidates", .array(candidates.map(\.json))),
        ]
        return .object(members)
    }

    private func outcome(naming names: Bool) -> String {
        if let route = winner?.route {
            let owner = names ? " of \(route.owner)" : ""
            return printable("\(uri.text) goes to \(route.pattern.text.isEmpty ? "/" : route.pattern.text)\(owner)")
        }
        if let supplier { return printable("\(uri.text) goes to \(supplier), which is installed for it") }
        let isOpen = candidates.contains { if case .mayDecline = $0.verdict { true } else { false } }
        if !isOpen, let fallback = fallbacks.first {
            return printable("\(uri.text) goes nowhere, and falls back to \(fallback?.text ?? "the host's own code")")
        }
        let end = isOpen ? "goes to one that takes it when it is asked, or nowhere" : "goes nowhere"
        return printable("\(uri.text) \(end)")
    }

    private static func captures(_ captures: RouteCaptures, of uri: ResourceURI) -> [String] {
        var lines = captures.values.sorted { $0.key < $1.key }.map { "  \($0.key) = \($0.value)" }
        if let rest = captures.rest { lines.append("  \(rest.name) = [\(rest.segments.joined(separator: ", "))]") }
        let items = (captures.takesFragment ? uri.addingFragmentParameters() : uri).parameters.items
        return (lines + items.map { "  ?\($0.name) = \($0.value)" }).map { printable($0) }
    }
}

extension RouteCandidate {
    fileprivate var json: JSONText {
        [
            "pattern": .string(route.pattern.text), "owner": .string(route.owner),
            "kind": .string(route.kind.rawValue), "exposure": .string(route.exposure.rawValue),
            "priority": .integer(route.priority), "matches": .bool(captures != nil),
            "verdict": .string(verdict.name), "reason": .string(verdict.description),
        ]
    }
}

extension RouteCandidate.Verdict {
    /// The name that scripts compare.
    fileprivate var name: String {
        switch self {
        case .wins: "wins"
        case .mayDecline: "mayDecline"
        case .otherKind: "kind"
        case .hidden: "exposure"
        case .lowerPriority: "priority"
        case .lessSpecific: "specificity"
        case .shadowed: "shadowed"
        case .mismatch: "mismatch"
        }
    }
}
