import PluginCore
import PluginRouter

/// A plugin's call of an action of a loaded plugin, compared with calling a closure from a dictionary of dictionaries.
///
/// The call includes the checks of origin and exposure and the records of the running call.
struct MediatorCall {
    private static let targets = 20

    let effort: Effort

    private var runs: Int { effort.count(31) }
    private var calls: Int { effort.count(100_000, smoke: 10) }

    func measure(to report: Report) async throws {
        Report.progress("mediator calls")
        let directory = Targets(names: (0..<Self.targets).map { "Target\($0)" }, principal: CalledPrincipal.principal)
        let mediator = Mediator(RouterPorts(bundles: directory, registrationStore: RegistrationStore()))
        var table: [String: [String: Action.Body]] = [:]
        for target in directory.names {
            for action in CalledPrincipal.actionNames { table[target, default: [:]][action] = CalledPrincipal.body }
            try await mediator.perform("action0", on: target)
        }
        let plugin = mediator.leased(to: Lease(owner: "com.example.caller"))
        let plain = table
        var (baseline, calls): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            baseline.append(try await look(up: "action3", of: "Target7", in: plain))
            calls.append(try await call("action3", of: "Target7", by: plugin))
        }
        report.add(.mediatorCall, median(calls), beside: median(baseline))
    }

    /// Returns the seconds per call.
    private func call(_ action: String, of target: String, by mediator: any Mediating) async throws -> Double {
        let parameters: ActionParameters = ["id": 42]
        return try await perCall {
            var answers = 0
            for _ in 0..<calls {
                if try await mediator.perform(action, on: target, parameters) as? Bool == true { answers += 1 }
            }
            return answers
        }
    }

    private func look(
        up action: String, of target: String, in table: [String: [String: Action.Body]]
    ) async throws -> Double {
        let parameters: ActionParameters = ["id": 42]
        return try await perCall {
            var answers = 0
            for _ in 0..<calls {
                if let body = table[target]?[action], try await body(parameters) as? Bool == true { answers += 1 }
            }
            return answers
        }
    }

    private func perCall(_ body: () async throws -> Int) async throws -> Double {
        var answers = 0
        let time = try await seconds { answers = try await body() }
        guard answers == calls else {
            throw AtriumError(.resultType, "benchmark", reason: .verbatim("\(answers) answers"))
        }
        return time / Double(calls)
    }
}

/// The targets of one bundle that is always loaded.
private struct Targets: InstalledBundles {
    let names: [String]
    let principal: Principal
    private let lease = Lease(owner: "com.example.called")

    init(names: [String], principal: Principal) {
        self.names = names
        self.principal = principal
    }

    func target(named name: String) async throws -> TargetListing? {
        let actions = CalledPrincipal.actionNames.map { ActionDeclaration(name: $0) }
        return TargetListing(TargetDeclaration(name: name, actions: actions), owner: lease.owner)
    }
    func targetNames() async throws -> [String] { names }
    func loaded(_ identifier: String) async throws -> LoadedBundle { LoadedBundle(principal: principal, lease: lease) }
    func owner(ofService name: String) async throws -> String? { nil }
    func serviceNames() async throws -> [String] { [] }
    func resources(of identifier: String) async throws -> BundleResources { BundleResources(root: "/nonexistent") }
}

private final class CalledPrincipal: Sendable {
    static let actionNames = (0..<10).map { "action\($0)" }
    static let body: Action.Body = { _ in true }

    static var principal: Principal {
        Principal(CalledPrincipal(), resource: { throw AtriumError(.resourceUnknown, $0.name) }) { name in
            ActionTarget(
                name,
                actions: actionNames.map { Action($0, body) })
        }
    }
}
