import Console
import PluginCore
import PluginRouter

/// The result of matching an address against patterns that are given on the command line.
struct GivenPatterns {
    private let list: RouteList
    private let uri: ResourceURI

    /// Parses the patterns and the address.
    ///
    /// - Throws: ``Refusal``.
    init(_ patterns: [String], _ text: String) throws(Refusal) {
        do {
            list = try RouteList(
                withoutConflicts: patterns.map { text throws(AtriumError) in
                    Route(
                        pattern: try RoutePattern(text), kind: .page, owner: "--pattern",
                        service: .declared(name: "", layout: nil))
                })
            uri = try ResourceURI(text)
        } catch {
            throw Refusal(error: error)
        }
    }

    /// The matching pattern and its captures as JSON.
    var json: JSONText {
        guard let match = list.matches(for: uri).first else { return ["pattern": nil] }
        return .object(
            [("pattern", .string(match.route.pattern.text))] + Self.members(of: match.captures(from: uri), uri))
    }

    /// Returns the captures of a pattern and the query of the address as JSON members.
    static func members(of captures: RouteCaptures, _ uri: ResourceURI) -> [(String, JSONText)] {
        let texts = captures.values.items.sorted { $0.name < $1.name }.map { ($0.name, JSONText.string($0.value)) }
        var members: [(String, JSONText)] = [("parameters", .object(texts))]
        if let rest = captures.rest {
            members.append(("rest", .strings(rest.segments)))
            if rest.name != RoutePattern.defaultRestName { members.append(("restName", .string(rest.name))) }
        }
        let items = (captures.takesFragment ? uri.addingFragmentParameters() : uri).parameters.items
        if !items.isEmpty { members.append(("query", .array(items.map { .strings([$0.name, $0.value]) }))) }
        return members
    }
}

extension GivenPatterns {
    func answer(for terminal: Terminal) -> Answer {
        let explanation = RouteExplanation(uri, among: list.routes)
        return Answer(text: explanation.text(for: terminal, naming: false), json: json)
    }

    /// The error for patterns or an address that cannot be parsed.
    ///
    /// Scripts get one of the three codes of the public matching cases; people get the usual report.
    struct Refusal: ReportableError {
        let error: AtriumError

        var report: FailureReport {
            var report = error.report
            report.code =
                switch error.code {
                case .patternMalformed: "badPattern"
                case .routeConflict: "conflict"
                case .uriMalformed: "malformedURL"
                default: error.code.name
                }
            return report
        }

        var exitStatus: Console.ExitStatus { error.exitStatus }
    }
}
