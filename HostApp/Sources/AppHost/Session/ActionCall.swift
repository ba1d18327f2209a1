import PluginCore

/// An action to be called, in words: a target, an action and texts by name; or an address that says all of it.
///
///     Account profilePage name=Ada Lovelace age=36
///     app://Account/isSignedIn?x=y
enum ActionCall {
    /// A call from inside the app.
    case named(target: String, action: String, parameters: ActionParameters)
    /// A call from afar.
    case address(ResourceURI, parameters: ActionParameters)

    /// Reads words.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` when a word is no `NAME=VALUE`, `actionUnknown` when there is
    ///   no action, or `uriMalformed`.
    init(_ words: [String]) throws(AtriumError) {
        guard let target = words.first else { throw AtriumError(.targetUnknown, "", detail: "no target is named") }
        if target.contains("://") {
            self = .address(try ResourceURI(target), parameters: try Self.parameters(words.dropFirst()))
            return
        }
        guard words.count > 1, !words[1].contains("=") else {
            throw AtriumError(.actionUnknown, target, detail: "an action is expected behind the target")
        }
        self = .named(target: target, action: words[1], parameters: try Self.parameters(words.dropFirst(2)))
    }

    /// What was called, for people and scripts.
    var name: String {
        switch self {
        case .named(let target, let action, _): "\(target).\(action)"
        case .address(let uri, _): uri.text
        }
    }

    func perform(by mediator: any Mediating) async throws -> any Sendable {
        switch self {
        case .named(let target, let action, let parameters):
            try await mediator.perform(action, on: target, parameters)
        case .address(let uri, let parameters): try await mediator.perform(uri, parameters)
        }
    }

    private static func parameters(_ words: ArraySlice<String>) throws(AtriumError) -> ActionParameters {
        var values: [String: any Sendable] = [:]
        for word in words {
            let equals = word.firstIndex(of: "=") ?? word.endIndex
            guard equals > word.startIndex, equals < word.endIndex else {
                throw AtriumError(.parameterMissing, word, detail: "a parameter is NAME=VALUE")
            }
            values[String(word[..<equals])] = String(word[word.index(after: equals)...])
        }
        return ActionParameters(values)
    }
}
