import Console
import PluginCore
import SystemLinks

/// The `hostapp open` command.
let openCommand = HostCommand(
    "open", summary: "Open an address, and perform actions of its pages.",
    discussion: """
        The plugin that handles the address is loaded, and installed first if only the catalog has it; if it was \
        uninstalled by name, only after a question on the terminal. Each --tap performs an action of the top page: \
        its number or name, and its fields as NAME=VALUE. A value extends to the next NAME=; NAME="VALUE" is taken \
        literally, with \\" for a quotation mark and \\\\ for a backslash. Web, mail and telephone links that no \
        plugin handles are passed on to the system, after a question.
        """,
    arguments: [
        .optional("URL", kind: .host(.address), help: "The address; by default the start address in bundle.json.")
    ],
    options: walkOptions + [systemLinksOption],
    examples: [
        Example("hostapp open 'app://shop/item/42?from=demo'"),
        Example("hostapp open app://shop/item/42 --tap buy"),
        Example("hostapp open app://orders --tap 'signIn name=Ada'"),
        Example(#"hostapp open app://notes --tap 'add title="one = two" text=Some words'"#),
    ]
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

private let walkOptions: [Command.Option] = [
    .value("tap", short: "t", placeholder: "ACTION", repeatable: true, help: "Perform an action of the page."),
    .flag("external", help: "Act as a link from outside the app, which reaches only what is exposed to links."),
    noInstallOption, isolateOption,
]

/// The `hostapp call` command.
let callCommand = HostCommand(
    "call", summary: "Call an action of a plugin, and print the result.",
    discussion: """
        The plugin that has the target is loaded, and installed first if only the catalog has it. Values are text; \
        an action that expects a number converts it. Target and action can also be given as an address. Each --tap \
        performs an action of a page that the call has opened, as in "hostapp open".
        """,
    arguments: [
        .required("TARGET", kind: .host(.target), help: "The target, or an address such as app://Account/isSignedIn."),
        .repeated(
            "WORD", kind: .host(.action),
            help: "The action, unless an address names it, and parameters as NAME=VALUE."),
    ],
    options: walkOptions,
    examples: [
        Example("hostapp call Account isSignedIn"),
        Example("hostapp call Orders place item=Socks price=900"),
        Example("hostapp call Account requireSignIn --tap 'signIn name=Ada'"),
        Example("hostapp call app://Account/currentUser --json"),
    ]
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
struct ActionCall: Sendable {
    /// The name of the called action for output.
    let name: String
    private let call: @Sendable (any Mediating) async throws -> any Sendable

    /// Parses words of the command line.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` for a word that isn't of the form `NAME=VALUE`, `actionUnknown` if
    ///   the action is missing, or `uriMalformed`.
    init(_ words: [String]) throws(AtriumError) {
        guard let target = words.first else { throw AtriumError(.targetUnknown, "", reason: "targetNeeded") }
        if target.contains("://") {
            let (uri, parameters) = (try ResourceURI(target), try Self.parameters(words.dropFirst()))
            name = uri.text
            call = { try await $0.perform(uri, parameters) }
            return
        }
        guard words.count > 1, !words[1].contains("=") else {
            throw AtriumError(.actionUnknown, target, reason: "actionNeeded")
        }
        let (action, parameters) = (words[1], try Self.parameters(words.dropFirst(2)))
        name = "\(target).\(action)"
        call = { try await $0.perform(action, on: target, parameters) }
    }

    func perform(by mediator: any Mediating) async throws -> any Sendable { try await call(mediator) }

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
