import Console
import Doctor
import PluginCore
import PluginRouter

extension RouteExplanation {
    /// Renders the target of the address, the winner's captures, and every candidate with its result.
    ///
    /// - Parameters:
    ///   - names: whether to name the owners of routes; patterns given on the command line have none.
    ///   - absent: the bundle that the composition names for the address, if it is neither installed nor in the catalog.
    func text(for terminal: Terminal, naming names: Bool = true, absent: String? = nil) -> String {
        var lines = [outcome(naming: names)]
        if let absent { lines.append(hostText("memberAbsent", absent)) }
        if let captures = winner?.captures { lines += Self.captures(captures, of: uri) }
        if !interceptors.isEmpty {
            lines.append(localized("  interceptors: \(interceptors.joined(separator: ", "))"))
        }
        let text = lines.map { printable($0) + "\n" }.joined()
        guard !candidates.isEmpty else { return text }
        var columns: [Table.Column] = [.init("", .trailing, style: .dim), .init("PATTERN", style: .bold)]
        if names { columns += ["OWNER", "EXPOSURE", .init("PRIORITY", .trailing)] }
        columns.append("RESULT")
        let rows = candidates.enumerated().map { number, candidate in
            let route = candidate.route
            let place = candidate.captures == nil ? "-" : String(number + 1)
            let owner = names ? [route.owner, route.exposure.rawValue, String(route.priority)] : []
            return [place, route.pattern.shown] + owner + [candidate.outcome.texts.words]
        }
        return text + "\n" + Table(columns, rows: rows).rendered(for: terminal)
    }

    /// Returns the explanation for scripts.
    ///
    /// `absent` is the bundle that the composition names for the address but that is neither installed nor in the catalog.
    func json(absent: String? = nil) -> JSONText {
        let winner = winner
        let known: JSONText = [
            "url": uri.text, "origin": origin.description, "pattern": winner?.route.pattern.text,
            "owner": winner?.route.owner,
        ]
        return known + (winner?.captures.map { GivenPatterns.members(of: $0, uri) } ?? [:]) + [
            "absent": absent, "interceptors": interceptors, "supplier": providingBundle,
            "fallbacks": fallbacks.map { $0?.text }, "candidates": candidates.map(\.json),
        ]
    }

    private func outcome(naming names: Bool) -> String {
        if let route = winner?.route {
            let pattern = route.pattern.shown
            return names
                ? localized("\(uri.text) goes to \(pattern) of \(route.owner)")
                : localized("\(uri.text) goes to \(pattern)")
        }
        for candidate in candidates {
            guard case .conflicts(let other) = candidate.outcome else { continue }
            return hostText("routesConflict", uri.text, candidate.route.owner, other)
        }
        if let providingBundle {
            return localized("\(uri.text) goes to \(providingBundle), which is installed on demand")
        }
        if candidates.contains(where: { if case .mayDecline = $0.outcome { true } else { false } }) {
            return hostText("mayDecline", uri.text)
        }
        guard let fallback = fallbacks.first else { return localized("\(uri.text) has no route") }
        return fallback.map { localized("\(uri.text) has no route, and falls back to \($0.text)") }
            ?? hostText("hostFallback", uri.text)
    }

    private static func captures(_ captures: RouteCaptures, of uri: ResourceURI) -> [String] {
        var lines = captures.values.items.sorted { $0.name < $1.name }.map { "  \($0.name) = \($0.value)" }
        if let rest = captures.rest { lines.append("  \(rest.name) = [\(rest.segments.joined(separator: ", "))]") }
        let items = (captures.takesFragment ? uri.addingFragmentParameters() : uri).parameters.items
        return lines + items.map { "  ?\($0.name) = \($0.value)" }
    }
}

extension RoutePattern {
    /// The pattern as people read it.
    var shown: String { text.isEmpty ? "/" : text }
}

extension RouteCandidate {
    var json: JSONText {
        [
            "pattern": route.pattern.text, "owner": route.owner, "kind": route.kind.rawValue,
            "exposure": route.exposure.rawValue, "priority": route.priority, "matches": captures != nil,
            "outcome": outcome.texts.name,
            "reason": Localization.with(.english) { outcome.texts.words },
        ]
    }
}

extension RouteCandidate.Outcome {
    /// The name of the result in JSON, and the outcome in the language of the program with the candidate as the subject.
    fileprivate var texts: (name: String, words: String) {
        let (name, value): (String, any CustomStringConvertible) =
            switch self {
            case .wins: ("wins", "")
            case .mayDecline: ("mayDecline", "")
            case .otherKind(let kind): ("kind", kind.rawValue)
            case .hidden(let exposure): ("exposure", exposure.rawValue)
            case .lowerPriority(let winners): ("priority", winners)
            case .lessSpecific(let difference): ("specificity", difference.words)
            case .shadowed(let owner): ("shadowed", owner)
            case .unclaimed: ("unclaimed", "")
            case .conflicts(let owner): ("conflict", owner)
            case .mismatch(let mismatch): ("mismatch", mismatch.words)
            }
        return (name, hostText("candidate \(name)", value))
    }
}

extension RouteCandidate.Difference {
    /// A comparison of the differing parts of the two patterns, in the language of the program.
    fileprivate var words: String {
        let part =
            switch place {
            case .segment(let number): localized("segment \(number)")
            case .fragment(0): localized("the fragment")
            case .fragment(let number): localized("segment \(number) of the fragment")
            case .scheme: localized("the scheme")
            }
        let own = mine.isEmpty ? localized("not there") : localized("\"\(mine)\"")
        let other = winners.isEmpty ? localized("not there") : localized("\"\(winners)\"")
        return localized("\(part) is \(own), the winner's \(other)")
    }
}

extension RouteMismatch {
    /// A clause that names the segment that does not match, in the language of the program.
    fileprivate var words: String {
        switch self {
        case .scheme(let scheme): localized("its scheme is \"\(scheme)\"")
        case .segment(let number, let wanted, let found):
            localized("segment \(number) is \"\(found)\" and not \"\(wanted)\"")
        case .tooShort(let number, let wanted): localized("segment \(number), \"\(wanted)\", is not there")
        case .tooLong(let number, let found): localized("it ends before segment \(number), \"\(found)\"")
        case .fragment(let mismatch): localized("in the fragment, \(mismatch.words)")
        case .noFragment: localized("there is no fragment")
        }
    }
}
