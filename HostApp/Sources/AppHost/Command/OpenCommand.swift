import Console
import PluginCore
import PluginRuntime

/// The `hostapp open` command.
let openCommand = HostCommand(
    "open", arguments: [.optional("URL", kind: .host(.address))],
    options: walkOptions + [.value("system-links", placeholder: "RULE")]
) { call in
    if call.origin == .external, call.environment.isStartedByLink, let text = call.parsed.argument("URL"),
        let link = SystemLink(try ResourceURI(text))
    {
        // A link that a host has passed on to the system must not be passed on again.
        call.passedLinks.add(link)
    }
    let composed = try await call.sessionComposition()
    guard let text = call.parsed.argument("URL") ?? composed.start else {
        // The argument is optional only if `bundle.json` names a start address.
        throw UsageError(.missingArgument, subject: "<URL>", expected: ["<URL>"], command: ["hostapp", "open"])
    }
    let uri = try ResourceURI(text)
    return try await call.walk(through: composed, from: ("url", uri.text)) { try await $0.open(uri) }
}

extension HostCall {
    /// Performs a first step and those of `--tap` in a session.
    ///
    /// - Parameter subject: the name of the first member of the JSON answer and its text.
    fileprivate func walk(
        through composed: ComposedRoutes, from subject: (name: String, text: String),
        _ first: @escaping @MainActor (Session) async throws -> (any Sendable)?
    ) async throws -> Answer? {
        let transcript = Transcript(self)
        return try await inSession(composed, as: origin, onNotice: transcript.notice) { [self] session in
            try await transcript.step(nil, in: session) { try await first(session) }
            for tap in parsed.values("tap") { try await transcript.tap(Tap(tap), in: session) }
            return transcript.answer(subject, session.stack)
        }
    }
}

extension Command.Option {
    /// The option for an action of the page.
    static let tap = value("tap", short: "t", placeholder: "ACTION", repeatable: true)
}

private let walkOptions: [Command.Option] = [.tap, .flag("external"), .flag("no-install"), .flag("isolate")]

/// The `hostapp call` command.
let callCommand = HostCommand(
    "call", arguments: [.required("TARGET", kind: .host(.target)), .repeated("WORD", kind: .host(.action))],
    options: walkOptions
) { call in
    let action = try ActionCall([call.argument("TARGET")] + call.parsed.arguments("WORD"))
    return try await call.walk(through: call.sessionComposition(), from: ("call", action.name)) {
        try await $0.call(action)
    }
}

/// A call of an action as the user types it.
///
/// It consists of a target, an action and parameters, or of an address that contains all of them.
///
///     Account profilePage name=Ada Lovelace age=36
///     app://Account/isSignedIn?x=y
struct ActionCall {
    /// The name of the called action for output.
    let name: String
    /// Performs the action by a mediator.
    let perform: @Sendable (any Mediating) async throws -> any Sendable

    /// Parses words of the command line.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` for a word that isn't of the form `NAME=VALUE`, `actionUnknown` if
    ///   the action is missing, or `uriMalformed`.
    init(_ words: [String]) throws(AtriumError) {
        guard let target = words.first else { throw AtriumError(.targetUnknown, "", reason: "targetNeeded") }
        if target.contains("://") {
            let (uri, parameters) = (try ResourceURI(target), try Self.parameters(words.dropFirst()))
            name = uri.text
            perform = { try await $0.perform(uri, parameters) }
            return
        }
        guard words.count > 1, !words[1].contains("=") else {
            throw AtriumError(.actionUnknown, target, reason: "actionNeeded")
        }
        let (action, parameters) = (words[1], try Self.parameters(words.dropFirst(2)))
        name = "\(target).\(action)"
        perform = { try await $0.perform(action, on: target, parameters) }
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
