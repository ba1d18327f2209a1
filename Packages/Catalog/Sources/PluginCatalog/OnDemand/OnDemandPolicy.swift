import HostSystem
public import PluginCore
import PluginRouter
public import PluginRuntime
import Registry
import Synchronization

/// The policy that decides which bundles may be installed because an address or a call needs them.
public struct OnDemandPolicy: Sendable {
    /// The rules for on-demand installs.
    public enum Rule: String, Sendable, CaseIterable {
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
        public let uninstalled: [BundleIdentifier]
        /// The permissions that the versions would have, by bundle.
        public let permissions: [BundleIdentifier: [BundlePermission]]
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

/// The policy for on-demand installs, and their observer.
public final class OnDemandSettings: Sendable {
    private let current = Mutex(OnDemandPolicy.always)
    private let observer = Mutex<@Sendable ([InstallReport]) -> Void>({ _ in })

    /// Creates settings that allow everything.
    public init() {}

    /// The policy that applies now.
    var policy: OnDemandPolicy { current.withLock { $0 } }

    /// Sets the policy for on-demand installs.
    public func allow(by policy: OnDemandPolicy) {
        current.withLock { $0 = policy }
    }

    /// Sets the closure that receives the results of each on-demand install, also of one that is undone later.
    public func observe(_ observer: @escaping @Sendable ([InstallReport]) -> Void) {
        self.observer.withLock { $0 = observer }
    }

    func report(_ reports: [InstallReport]) { observer.withLock { $0 }(reports) }
}

extension HostRouting {
    /// Returns the handling of requests of a host that installs missing bundles from its catalog when a request needs them.
    public static func installingOnDemand(
        _ navigator: any Navigator = PageStack(), _ settings: OnDemandSettings = OnDemandSettings()
    ) -> HostRouting {
        var routing = HostRouting(navigator)
        routing.onDemandProvider = { OnDemandInstaller($0, settings) }
        return routing
    }
}

/// The state of a sandbox before an on-demand install, which allows reverting it.
struct InstallSnapshot {
    /// The unique name of the on-demand install.
    let request = String(UInt64.random(in: 0 ... .max), radix: 36)
    private let sandbox: Sandbox
    private let missing: [FilePath]
    /// The existing app groups; `nil` if unknown.
    private let groups: [String]?
    private let containers: [String]?

    init(of sandbox: Sandbox) {
        self.sandbox = sandbox
        // If unknown, nothing counts as missing, so that nothing is removed.
        missing = (try? sandbox.folders.flatMap { try FileSystem.missingFolders($0) }) ?? []
        groups = Self.names(in: sandbox.groups)
        containers = Self.names(in: sandbox.containers)
    }

    private static func names(in folder: FilePath) -> [String]? {
        try? (FileSystem.item(at: folder) == nil ? [] : FileSystem.names(in: folder))
    }

    /// Returns whether a bundle's container was created by this install.
    func made(containerOf identifier: BundleIdentifier) -> Bool {
        containers.map { !$0.contains(identifier.text) } ?? false
    }

    /// Returns the folders that were created for bundles, outermost first.
    func folders(with bundles: [PluginBundle]) -> [FilePath] {
        guard let groups else { return missing }
        return missing
            + bundles.flatMap(\.appGroups).filter { !groups.contains($0) }
            .flatMap { (try? sandbox.folders(ofGroup: $0)) ?? [] }
    }
}
