import Console
import HostSystem
import PluginCore
import PluginRouter
import Synchronization

/// The passage of links from the app to the system.
///
/// A link from outside of the app is never passed on without a question, whatever the rule, because otherwise the app would lead anybody who follows
/// a link of its own to any other address. Neither is one of a plugin in a process of its own, because a link can carry data out of it.
struct OutboundLinks {
    /// A closure that asks the user whether a link may be passed on.
    typealias Question = @Sendable (SystemLink, RequestOrigin) async -> Bool

    /// The schemes that are passed on unless bundle.json names more.
    static let schemes = ["http", "https", "mailto", "tel"]
    /// The schemes that bundle.json cannot name: they lead back into the app, or to files that programs run.
    static let excludedSchemes = ["file", "javascript"]

    /// The rule.
    let rule: SystemLinkRule
    /// The place of the rule, for messages.
    let source: String
    /// The program that opens links.
    let opener: SystemOpener
    /// Asks the user; `nil` if no user can be asked.
    let question: Question?
    /// The links that were passed on before.
    let passed: PassedLinks

    /// Passes a link on to the system, after a question if one is needed.
    ///
    /// - Throws: ``AtriumError`` with code `systemLinkDenied` or `systemLinkFailed`.
    func pass(_ link: OutboundLink) async throws {
        guard let target = SystemLink(link.uri) else { throw denied(link, "linkWithoutScheme") }
        if rule == .never { throw denied(link, "linkRuleNever", ["source": .text(source)]) }
        // The system has given it back, and would do so again.
        if link.isFromOutside, passed.contains(target) { throw denied(link, "linkReturned") }
        if rule == .ask || link.isFromOutside || link.isFromConfined {
            guard let question else {
                let unasked = link.isFromConfined ? "confinedLinkUnasked" : "linkUnasked"
                throw denied(link, link.isFromOutside ? "outsideLinkUnasked" : unasked)
            }
            let isWanted = await UserQuestion.pausingDeadlines { await question(target, link.origin) }
            guard isWanted else { throw denied(link, "linkDeclined") }
        }
        passed.add(target)
        try await opener.open(target)
    }

    private func denied(
        _ link: OutboundLink, _ reason: String, _ values: [String: ErrorReason.Value] = [:]
    ) -> AtriumError {
        AtriumError(.systemLinkDenied, link.uri.text, reason: reason, values)
    }

    /// Asks on the terminal, after showing the link as it is passed on.
    static let onTerminal: Question = { link, origin in
        StandardOutput.note(lines(about: link, from: origin))
        return await TerminalQuestion.answer(hostText("openLink", link.scheme))
    }

    /// Returns the lines that show a link to the user.
    static func lines(about link: SystemLink, from origin: RequestOrigin) -> String {
        var lines = localized("Link: \(link.text)\n")
        if let server = link.server {
            let isUnusual = link.hasInternationalServer
            lines += isUnusual ? hostText("internationalServer", server) : localized("Server: \(server)\n")
        }
        return lines + localized("Asked for by: \(printable(origin.description))\n")
    }
}

/// The links that a process of the app has passed on to the system, or was started for after another process has.
final class PassedLinks: Sendable {
    /// The number of links that are remembered.
    private static let limit = 256
    private let texts = Mutex<[String]>([])

    func add(_ link: SystemLink) {
        texts.withLock { $0 = $0.filter { $0 != link.text }.suffix(Self.limit - 1) + [link.text] }
    }

    func contains(_ link: SystemLink) -> Bool { texts.withLock { $0.contains(link.text) } }
}

extension HostCall {
    /// Registers the passage of links to the system as the last fallback of their schemes, except where bundle.json has one.
    ///
    /// - Throws: `UsageError` for an unknown rule.
    func passLinksOn(from router: Router, in composition: ComposedRoutes) throws {
        var rule = composition.systemLinks
        var source = localized("\"systemLinks\": \"\(composition.systemLinks.rawValue)\" in bundle.json")
        if let word = parsed.value("system-links") {
            let known = SystemLinkRule.allCases.map(\.rawValue)
            guard let named = SystemLinkRule(rawValue: word) else {
                let nearest = Nearest.words(to: word, in: known).first
                throw parsed.invalid("--system-links", word, known, nearest: nearest)
            }
            (rule, source) = (named, "--system-links \(word)")
        }
        let links = OutboundLinks(
            rule: rule, source: source,
            opener: SystemOpener(searchPath: environment.searchPath, variables: environment.userVariables),
            question: linkQuestion ?? (canAsk ? OutboundLinks.onTerminal : nil), passed: passedLinks)
        let covered = composition.schemes.filter { $0.fallback != nil }.map(\.name)
        for scheme in OutboundLinks.schemes + composition.systemSchemes where !covered.contains(scheme) {
            try router.fallback(.scheme(scheme), to: .outside { try await links.pass($0) })
        }
    }
}
