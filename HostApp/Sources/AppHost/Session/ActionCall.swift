import PluginCore

/// A call of an action as the user types it.
///
/// It consists of a target, an action and parameters, or of an address that contains all of them.
///
///     Account profilePage name=Ada Lovelace age=36
///     app://Account/isSignedIn?x=y
enum ActionCall {
    /// A call of a target by its name.
    case named(target: String, action: String, parameters: ActionParameters)
    /// A call of a target by an address.
    case address(ResourceURI, parameters: ActionParameters)

    /// Parses words of the command line.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` for a word that isn't of the form `NAME=VALUE`, `actionUnknown` if
    ///   the action is missing, or `uriMalformed`.
    init(_ words: [String]) throws(AtriumError) {
        guard let target = words.first else { throw AtriumError(.targetUnknown, "", reason: "targetNeeded") }
        if target.contains("://") {
            self = .address(try ResourceURI(target), parameters: try Self.parameters(words.dropFirst()))
            return
        }
        guard words.count > 1, !words[1].contains("=") else {
            throw AtriumError(.actionUnknown, target, reason: "actionNeeded")
        }
        self = .named(target: target, action: words[1], parameters: try Self.parameters(words.dropFirst(2)))
    }

    /// The name of the called action for output.
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
                throw AtriumError(.parameterMissing, word, reason: "parameterForm")
            }
            values[String(word[..<equals])] = String(word[word.index(after: equals)...])
        }
        return ActionParameters(values)
    }
}
