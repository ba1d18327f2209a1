import PluginCore
import PluginTestKit
import FaultInjection
import Testing

@Suite("Random sequences of operations", .tags(.large))
struct ModelTests {
    /// A minimal model of the contents of a sandbox.
    struct Model {
        /// The versions in the catalog, oldest first.
        static let offered = [Scene.shop: ["1.0.0", "1.1.0"], Scene.account: ["1.0.0"], Scene.orders: ["1.0.0"]]
        /// The library that is installed with the versions that require it, and that stays.
        static let money = "com.example.lib.money"
        static let requiring: Set = ["\(Scene.shop)@1.1.0", "\(Scene.orders)@1.0.0"]

        var active: [String: String] = [:]
        var previous: [String: String] = [:]
        /// The bundles that have data.
        var data: Set<String> = []
        /// The highest version of each bundle that has run.
        var minimumVersions: [String: String] = [:]
        /// The installed versions that have run, each as `ID@VERSION`.
        var hasRun: Set<String> = []
        /// The bundles that were uninstalled by name, which no address installs again.
        var uninstalled: Set<String> = []
        /// The versions that were rolled back from, which updates skip.
        var skipped: [String: String] = [:]

        /// Changes the model as the host should change the sandbox, and returns the expected exit status.
        mutating func apply(_ step: Step) -> Int32 {
            switch step {
            case .install(let bundle, let version):
                let newest = Self.offered[bundle]?.last ?? ""
                let wanted = version ?? newest
                if wanted < minimumVersions[bundle] ?? "", wanted != active[bundle] { return 77 }
                guard let now = active[bundle] else {
                    activate(bundle, wanted)
                    return 0
                }
                if wanted < now { return 77 }
                if version == nil, wanted <= skipped[bundle] ?? "" { return 0 }
                if wanted > now { replace(bundle, wanted) }
                return 0
            case .installSeveral(let bundles):
                return bundles.map { apply(.install($0, nil)) }.max() ?? 0
            case .open(let bundle):
                // A bundle that was not uninstalled by name is installed on demand.
                if active[bundle] == nil, uninstalled.contains(bundle) { return 77 }
                if active[bundle] == nil { activate(bundle, Self.offered[bundle]?.last ?? "") }
                let version = active[bundle] ?? ""
                minimumVersions[bundle] = max(minimumVersions[bundle] ?? "", version)
                hasRun.insert("\(bundle)@\(version)")
                // A lower version that has not run is no longer a rollback target.
                if let before = previous[bundle], before < version, !hasRun.contains("\(bundle)@\(before)") {
                    previous[bundle] = nil
                }
                // The library that it links has run too.
                if Self.requiring.contains("\(bundle)@\(version)") { minimumVersions[Self.money] = active[Self.money] }
                return 0
            case .collect: return 0
            case .update(let bundle):
                guard let now = active[bundle] else { return 66 }
                if let newest = Self.offered[bundle]?.last, newest > now, newest > skipped[bundle] ?? "" {
                    replace(bundle, newest)
                }
                return 0
            case .rollBack(let bundle):
                guard let now = active[bundle] else { return 66 }
                guard let before = previous[bundle] else { return 77 }
                replace(bundle, before)
                skipped[bundle] = now > before ? now : nil
                return 0
            case .uninstall(let bundle, let deletesData):
                guard active[bundle] != nil else {
                    // Data that an earlier uninstall has left can still be deleted.
                    return deletesData && data.remove(bundle) != nil ? 0 : 66
                }
                active[bundle] = nil
                previous[bundle] = nil
                skipped[bundle] = nil
                uninstalled.insert(bundle)
                hasRun = hasRun.filter { !$0.hasPrefix("\(bundle)@") }
                if deletesData { data.remove(bundle) }
                return 0
            }
        }

        private mutating func replace(_ bundle: String, _ version: String) {
            previous[bundle] = active[bundle]
            activate(bundle, version)
        }

        private mutating func activate(_ bundle: String, _ version: String) {
            active[bundle] = version
            uninstalled.remove(bundle)
            if version > skipped[bundle] ?? "" { skipped[bundle] = nil }
            data.insert(bundle)
            if Self.requiring.contains("\(bundle)@\(version)"), active[Self.money] == nil {
                activate(Self.money, "1.1.0")
            }
        }
    }

    enum Step: CustomStringConvertible {
        case install(String, String?)
        case installSeveral([String])
        case open(String)
        case collect
        case update(String)
        case rollBack(String)
        case uninstall(String, deletesData: Bool)

        static func random(_ random: inout Seed) -> Step {
            // Shop is the most frequent, because it has two versions.
            let bundle = [Scene.shop, Scene.shop, Scene.account, Scene.orders].randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<12, using: &random) {
            case 0: return .install(bundle, "1.0.0")
            case 1, 2: return .install(bundle, nil)
            case 3: return .update(bundle)
            case 4, 5: return .rollBack(bundle)
            case 6: return .uninstall(bundle, deletesData: false)
            case 7: return .installSeveral([Scene.orders, Scene.shop, Scene.account])
            case 8, 9: return .open(bundle == Scene.orders ? Scene.shop : bundle)
            case 10: return .collect
            default: return .uninstall(bundle, deletesData: true)
            }
        }

        var words: [String] {
            switch self {
            case .install(let bundle, let version): ["install", bundle + (version.map { "@" + $0 } ?? "")]
            case .installSeveral(let bundles): ["install"] + bundles
            case .open(let bundle): ["open", bundle == Scene.account ? "app://account" : "app://shop"]
            case .collect: ["gc"]
            case .update(let bundle): ["update", bundle]
            case .rollBack(let bundle): ["rollback", bundle]
            case .uninstall(let bundle, let deletesData):
                ["uninstall", bundle] + (deletesData ? ["--delete-data"] : [])
            }
        }

        var description: String { words.joined(separator: " ") }
    }

    @Test("After any sequence of operations, the sandbox matches a simple model", arguments: Seed.all)
    func sequence(seed: UInt64) async throws {
        var random = Seed(seed)
        var model = Model()
        var steps: [String] = []
        let scene = try Scene()
        let reference = try await FaultReference.samples()
        for _ in 0..<60 {
            let step = Step.random(&random)
            steps.append("\(step)")
            let status = model.apply(step)
            let result = try await scene.host.hostapp.run(step.words)
            try #require(result.status == status, "seed \(seed): \(steps) ... \(result)")

            let state = try scene.state()
            let trail: Comment = "seed \(seed): \(steps)"
            try #require(state.installed.mapValues { $0.active.identity.version.description } == model.active, trail)
            try #require(
                state.installed.compactMapValues { $0.previous?.identity.version.description } == model.previous, trail)
            let invariants: [SandboxInvariant] = [
                .registryIsSound, .activeVersionsVerify, .onlyWholeFoldersAreNamed, .diskHoldsWhatIsNamed,
            ]
            for invariant in invariants { try #require(invariant.violations(in: state, reference) == [], trail) }
            try #require(state.minimumVersions.mapValues(\.description) == model.minimumVersions, trail)
            try #require(try state.registry.get().mirroredMinimumVersions == state.minimumVersions, trail)
            let containers = state.nodes(below: "Containers/Data/Plugins").keys.filter {
                !$0.contains("/") && $0 != "."
            }
            try #require(Set(containers) == model.data, trail)
        }
    }
}
