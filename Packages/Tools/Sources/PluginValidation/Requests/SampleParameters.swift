import PluginCore
import PluginRouter

/// Parameters for a request, which are learned from the errors of a plugin.
///
/// A contract's error names the parameter that is missing or wrong, and the type that it needs, so a few attempts lead to a valid request.
struct SampleParameters {
    /// The texts by name.
    private(set) var values: [String: String] = [:]
    private var seen: Set<String> = []

    /// Takes what an error tells about a parameter.
    ///
    /// - Returns: `false` if it tells nothing new.
    mutating func learn(from error: AtriumError) -> Bool {
        guard error.code == .parameterMissing || error.code == .parameterType, let reason = error.reason else {
            return false
        }
        let text: String
        if case .list(let choices) = reason.values["choices"], let choice = choices.first {
            text = choice
        } else if case .text(let type) = reason.values["type"] ?? reason.values["expected"] {
            text = Self.sample(of: type)
        } else {
            text = Self.sample(of: "")
        }
        guard seen.insert("\(error.subject)=\(text)").inserted else { return false }
        values[error.subject] = text
        return true
    }

    /// Returns a text that spells a value of a type.
    static func sample(of type: String) -> String {
        // "Optional<Array<Int>>" needs the text of an Int.
        let name = type.split { "<>".contains($0) }.last.map(String.init) ?? type
        return switch name {
        case "Bool": "true"
        case "Double", "Float": "1.5"
        case "String", "Substring": "sample"
        case "UUID": "00000000-0000-0000-0000-000000000000"
        case "URL": "https://example.com/"
        default: "1"
        }
    }

    /// The values as parameters of an action.
    var actionParameters: ActionParameters { ActionParameters(values.mapValues { $0 as any Sendable }) }

    /// Returns the address of a route with these values, and with samples for captures that have none.
    ///
    /// - Throws: ``AtriumError`` for a pattern that matches no address that can be made in this way.
    func address(of pattern: RoutePattern) throws(AtriumError) -> ResourceURI {
        var parts = AddressParts()
        guard let expansion = pattern.expansions.first else { throw AtriumError(.patternMalformed, pattern.text) }
        for segment in expansion.path + (expansion.fragment ?? []) {
            switch segment {
            case .capture(let name): parts.captures[name] = values[name] ?? "1"
            case .typed(let name, let converter): parts.captures[name] = values[name] ?? converter.example
            case .partial(let partial): for name in partial.names { parts.captures[name] = values[name] ?? "1" }
            case .rest(let name): parts.rest = [values[name] ?? "1"]
            case .any:
                // A wildcard has no value, so only the pattern's own example has a text for it.
                return try ResourceURI("app://" + expansion.example)
            case .literal: break
            }
        }
        let rest = expansion.path.compactMap { if case .rest(let name) = $0 { name } else { nil } }
        parts.query = URIParameters(
            values.keys.sorted().filter { parts.captures[$0] == nil && !rest.contains($0) }.map {
                URIParameters.Item(name: $0, value: values[$0] ?? "")
            })
        return try pattern.address(parts, scheme: "app")
    }
}
