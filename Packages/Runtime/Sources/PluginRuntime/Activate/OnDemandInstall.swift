public import PluginCore
internal import PluginRouter
internal import Synchronization

/// Decides which bundles may be installed because an address or a call needs them.
public struct OnDemandPolicy: Sendable {
    /// The rule.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// They are installed; what somebody uninstalled by name only after a question.
        case always
        /// They are installed after a question.
        case ask
        /// They are not installed.
        case never
    }

    /// A question to the user.
    public struct Question: Hashable, Sendable {
        /// The version that would be installed for the request.
        public let bundle: BundleIdentity
        /// What would be installed with it.
        public let others: [BundleIdentity]
        /// Those among all of them that somebody uninstalled by name.
        public let uninstalled: [String]
    }

    /// The rule.
    public let rule: Rule
    /// Where the rule comes from, for the error; such as `--no-install`.
    public let source: String
    /// Asks the user; `nil` when nobody can be asked.
    public let ask: (@Sendable (Question) async -> Bool)?

    /// Installs everything but what somebody uninstalled by name.
    public static let always = OnDemandPolicy(rule: .always)

    /// A policy.
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - source: where it comes from, for the error.
    ///   - ask: asks the user; `nil` when nobody can be asked, and the answer to every question is no.
    public init(
        rule: Rule, from source: String = "this host's setting", ask: (@Sendable (Question) async -> Bool)? = nil
    ) {
        self.rule = rule
        self.source = source
        self.ask = ask
    }
}

extension BundleManager {
    /// Decides from now on which bundles may be installed on demand.
    public nonisolated func allowOnDemandInstalls(by policy: OnDemandPolicy) {
        onDemandPolicy.withLock { $0 = policy }
    }

    /// Why a bundle may not be installed for a request, as far as that is known without a question; `nil` when it may, or when the
    /// user can be asked.
    public nonisolated func onDemandRefusal(of identifier: String) -> AtriumError? {
        let policy = onDemandPolicy.withLock { $0 }
        switch policy.rule {
        case .never:
            return AtriumError(.installNotAllowed, identifier, detail: "\(policy.source) forbids it")
        case .ask where policy.ask == nil:
            return AtriumError(
                .installNotAllowed, identifier,
                detail: "\(policy.source) asks first, and there is no terminal to ask on")
        case .ask: return nil
        case .always:
            guard policy.ask == nil else { return nil }
            do throws(AtriumError) {
                return try registry.uninstalled().contains(identifier) ? Self.uninstalledByName([identifier]) : nil
            } catch {
                return error
            }
        }
    }

    /// Makes sure that a bundle may be installed for a request; asks the user if need be.
    ///
    /// - Throws: ``AtriumError`` with code `installNotAllowed`, and as ``change(_:offering:staging:)``.
    func requireOnDemandInstall(of identifier: String) async throws {
        if let refusal = onDemandRefusal(of: identifier) { throw refusal }
        let policy = onDemandPolicy.withLock { $0 }
        let known = try registry.uninstalled()
        if policy.rule == .always, known.isEmpty { return }
        let arrivals = try plan([.install(identifier)]).steps.filter { $0.from == nil }.compactMap(\.arrival)
        let uninstalled = arrivals.map(\.identifier).filter(known.contains)
        if policy.rule == .always, uninstalled.isEmpty { return }
        guard let bundle = arrivals.first(where: { $0.identifier == identifier }) else { return }
        guard let ask = policy.ask else { throw Self.uninstalledByName(uninstalled) }
        let question = OnDemandPolicy.Question(
            bundle: bundle, others: arrivals.filter { $0 != bundle }, uninstalled: uninstalled)
        guard await UserQuestion.pausingDeadlines({ await ask(question) }) else {
            throw AtriumError(.installNotAllowed, identifier, detail: "the answer was no")
        }
    }

    private static func uninstalledByName(_ identifiers: [String]) -> AtriumError {
        AtriumError(
            .installNotAllowed, identifiers.joined(separator: ", "),
            detail: "it was uninstalled by name, and there is no terminal to ask on")
    }
}
