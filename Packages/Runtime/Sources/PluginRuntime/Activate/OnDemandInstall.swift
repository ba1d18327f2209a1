import Registry
import Resolver
public import PluginCore
internal import PluginRouter
internal import Synchronization

/// The policy that decides which bundles may be installed because an address or a call needs them.
public struct OnDemandPolicy: Sendable {
    /// The rules for on-demand installs.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Install; but ask before installing a bundle that the user has uninstalled by name.
        case always
        /// Ask before installing.
        case ask
        /// Don't install.
        case never
    }

    /// A question to the user.
    public struct Question: Hashable, Sendable {
        /// The version that would be installed for the request.
        public let bundle: BundleIdentity
        /// The versions that would be installed with it.
        public let others: [BundleIdentity]
        /// The bundles among them that the user has uninstalled by name.
        public let uninstalled: [String]
    }

    /// The rule of the policy.
    public let rule: Rule
    /// The origin of the rule for error messages, such as "--no-install".
    public let source: String
    /// Asks the user; `nil` when no user can be asked.
    public let ask: (@Sendable (Question) async -> Bool)?

    /// The policy that installs everything except bundles that the user has uninstalled by name.
    public static let always = OnDemandPolicy(rule: .always)

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - source: the origin of the rule for error messages.
    ///   - ask: asks the user; `nil` when no user can be asked, so that the answer to every question is no.
    public init(
        rule: Rule, from source: String = "this host's setting", ask: (@Sendable (Question) async -> Bool)? = nil
    ) {
        self.rule = rule
        self.source = source
        self.ask = ask
    }
}

extension BundleManager {
    /// Sets the policy for on-demand installs.
    public nonisolated func allowOnDemandInstalls(by policy: OnDemandPolicy) {
        onDemandPolicy.withLock { $0 = policy }
    }

    /// Returns the reason why a bundle may not be installed on demand.
    ///
    /// - Returns: `nil` when it may, or when the user can be asked.
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
                return try registry.uninstalled.all().contains(identifier) ? Self.uninstalledByName([identifier]) : nil
            } catch {
                return error
            }
        }
    }

    /// Checks that a bundle may be installed on demand, and asks the user if necessary.
    ///
    /// - Throws: ``AtriumError`` with code `installNotAllowed`, and as ``change(_:offering:staging:)``.
    func requireOnDemandInstall(of identifier: String) async throws {
        if let refusal = onDemandRefusal(of: identifier) { throw refusal }
        let policy = onDemandPolicy.withLock { $0 }
        let known = try registry.uninstalled.all()
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
