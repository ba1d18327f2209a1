import Console
import PluginCore
import PluginRouter
import PluginRuntime
import SystemLinks

/// The option that says what happens to links that no plugin handles.
let systemLinksOption = Command.Option.value(
    "system-links", placeholder: "RULE",
    help: "What to do with web, mail and telephone links that no plugin handles: ask, open or never.")

extension HostCall {
    /// Registers the passage of links to the system as the last fallback of their schemes, except where bundle.json has one.
    ///
    /// - Throws: `UsageError` for an unknown rule.
    func passLinksOn(from router: Router, in composition: Composition) throws {
        let links = try outboundLinks(in: composition)
        let covered = composition.schemes.filter { $0.fallback != nil }.map(\.name)
        for scheme in OutboundLinks.schemes + composition.systemSchemes where !covered.contains(scheme) {
            try router.fallback(.scheme(scheme), to: .outside { try await links.pass($0) })
        }
    }

    private func outboundLinks(in composition: Composition) throws(UsageError) -> OutboundLinks {
        var (rule, source) = (
            composition.systemLinks,
            localized("\"systemLinks\": \"\(composition.systemLinks.rawValue)\" in bundle.json")
        )
        if let word = parsed.value("system-links") {
            guard let named = SystemLinkRule(rawValue: word) else {
                throw UsageError(
                    .invalidValue, subject: "--system-links", expected: SystemLinkRule.allCases.map(\.rawValue),
                    nearest: Nearest.words(to: word, in: SystemLinkRule.allCases.map(\.rawValue)).first,
                    command: ["hostapp"] + parsed.path, value: word)
            }
            (rule, source) = (named, "--system-links \(word)")
        }
        let asks = !isJSON && TerminalQuestion.isPossible
        return OutboundLinks(
            rule: rule, source: source,
            opener: SystemOpener(searchPath: environment.searchPath, variables: environment.userVariables),
            question: linkQuestion ?? (asks ? OutboundLinks.onTerminal : nil), passed: passedLinks)
    }

    /// Hands a link from outside over to the process of the app that runs; `nil` if there is none, or the command does more than open it.
    func handedOver(_ uri: ResourceURI) async -> Answer? {
        guard origin == .external, parsed.values("tap").isEmpty,
            let link = HandedLink(uri, wasPassedOn: environment.isStartedByLink),
            await LinkHandover.send(link, in: manager.sandbox)
        else { return nil }
        return Answer(
            text: localized("Handed to the running app.\n"),
            json: ["url": .string(uri.text), "handedOver": .bool(true)])
    }

    /// Notes a link from outside that a host has passed on to the system, which must not be passed on again.
    func note(returned uri: ResourceURI) {
        if let link = SystemLink(uri) { passedLinks.add(link) }
    }
}
