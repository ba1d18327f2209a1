/// The parameters that have been encoded so far, in the order of encoding.
final class ParameterSink {
    enum Value {
        case text(String)
        case list([String])
    }

    private(set) var values: [(name: String, value: Value)] = []
    /// The first error. It is stored because some encoding calls cannot throw.
    private(set) var problem: AtriumError?
    /// The name for a value that is not a structure.
    let only: String?

    init(only: String?) {
        self.only = only
    }

    /// Records an error for a parameter, and returns the first error that was recorded.
    @discardableResult
    func refuse(_ name: String, _ reason: ErrorReason) -> AtriumError {
        let refusal = problem ?? AtriumError(.parameterType, name, reason: reason)
        problem = refusal
        return refusal
    }

    func put(_ text: String, as name: String) {
        set(.text(text), as: name)
    }

    func startList(as name: String) {
        set(.list([]), as: name)
    }

    func append(_ text: String, to name: String) {
        guard let index = index(of: name), case .list(let texts) = values[index].value else { return }
        values[index].value = .list(texts + [text])
    }

    func isEmptyList(_ name: String) -> Bool {
        if let index = index(of: name), case .list(let texts) = values[index].value { texts.isEmpty } else { false }
    }

    private func set(_ value: Value, as name: String) {
        if let index = index(of: name) {
            values[index].value = value
        } else {
            values.append((name, value))
        }
    }

    private func index(of name: String) -> Int? { values.firstIndex { $0.name == name } }
}

extension ParameterSink {
    /// Returns the values by name: a text as a string, a list as a list of strings.
    func parameters() throws(AtriumError) -> ActionParameters {
        if let problem { throw problem }
        var parameters: [String: any Sendable] = [:]
        for (name, value) in values {
            switch value {
            case .text(let text): parameters[name] = text
            case .list(let texts): parameters[name] = texts
            }
        }
        return ActionParameters(parameters)
    }

    /// Returns the values as captures, segments of the double-star wildcard, and query.
    func parts(names: PatternNames) throws(AtriumError) -> AddressParts {
        if let problem { throw problem }
        var parts = AddressParts()
        var items: [URIParameters.Item] = []
        for (name, value) in values {
            switch value {
            case .list(let texts) where name == names.rest: parts.rest = texts
            case .text where name == names.rest:
                throw AtriumError(
                    .parameterType, name, reason: "segmentsExpected")
            case .text(let text) where names.captures.contains(name): parts.captures[name] = text
            case .list where names.captures.contains(name):
                throw AtriumError(.parameterType, name, reason: "singleTextExpected")
            case .text(let text): items.append(URIParameters.Item(name: name, value: text))
            case .list(let texts): items += texts.map { URIParameters.Item(name: name, value: $0) }
            }
        }
        parts.query = URIParameters(items)
        return parts
    }
}
