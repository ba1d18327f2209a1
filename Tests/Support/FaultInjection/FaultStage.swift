import PluginTestKit
import FoundationEssentials
import PluginCore
import PluginRuntime
import Synchronization

/// A prepared operation: its initial sandbox, its effect without faults, and its points.
struct FaultStage: Sendable {
    let harness: FaultHarness
    let reference: FaultReference
    let points: [FaultPoint]
    /// The recorded changes of the disk, or nil if they are not needed.
    let recording: DiskRecording?
    /// The root of the prepared sandbox, which may be missing.
    private let prepared: FilePath
    private let folder: FilePath
    private let knownViolations = KnownViolations()

    init(_ operation: FaultOperation, harness: FaultHarness, recording isRecorded: Bool = false) async throws {
        self.harness = harness
        folder = harness.place.appending("\(operation.name)-\(UUID().uuidString.prefix(8))")
        prepared = folder.appending("prepared")
        let files = FileManager.default
        try files.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        for step in operation.preparation { try await Self.take(step, prepared, in: folder, operation, harness) }

        let bench = try FaultBench(folder: folder.appending("job0"), prepared: prepared, for: operation)
        let before = try bench.state(of: prepared)
        try bench.restore()
        let first = try await harness.run(operation, in: bench.root)
        guard first.status == 0 else {
            throw FixtureError("\(operation.name) does not succeed without faults; \(first)")
        }
        let after = try bench.state()
        let second = try await harness.run(operation, in: bench.root)
        reference = FaultReference(
            operation: operation, before: before, after: after, repeated: try bench.state(),
            repeatedStatus: second.status)

        let command = [harness.host.hostapp.path.string] + harness.words(of: operation, in: bench.root)
        try bench.restore()
        var traced = try await harness.strace.points(of: command, logging: bench.log, timeout: harness.timeout)
        // A run that takes longer also looks for changes of other processes. Its calls need not occur again.
        for _ in 0..<2 {
            try bench.restore()
            let again = try await harness.strace.points(of: command, logging: bench.log, timeout: harness.timeout)
            if again.result.status == 0, again.points.count < traced.points.count { traced = again }
        }
        guard traced.result.status == 0, !traced.points.isEmpty else {
            throw FixtureError("\(operation.name) does not succeed under strace; \(traced.result)")
        }
        points = traced.points
        recording = isRecorded ? try await Self.record(command, on: bench, harness) : nil
    }

    private static func take(
        _ step: FaultOperation.Step, _ root: FilePath, in folder: FilePath, _ operation: FaultOperation,
        _ harness: FaultHarness
    ) async throws {
        switch step {
        case .host(let words):
            let result = try await harness.run(words, in: root, from: operation.address)
            guard result.status == 0 else { throw FixtureError("\(operation.name) cannot be prepared; \(result)") }
        case .killed(let words):
            let bench = try FaultBench(folder: folder.appending("killed"), prepared: root, for: operation)
            try await kill(words, on: bench, operation, harness)
            try bench.copy(to: root)
        case .perform(let change): try await change()
        case .file(let name, let content):
            let path = root.appending(name)
            try FileManager.default.createDirectory(atPath: path.parent.string, withIntermediateDirectories: true)
            try Data(content.utf8).write(to: URL(filePath: path.string))
        }
    }

    /// Kills a command after it has written the crash log of the last library that it loads.
    private static func kill(
        _ words: [String], on bench: FaultBench, _ operation: FaultOperation, _ harness: FaultHarness
    ) async throws {
        try bench.restore()
        let command = [harness.host.hostapp.path.string] + harness.words(words, in: bench.root)
        let points = try await harness.strace.points(of: command, logging: bench.log, timeout: harness.timeout).points
        let marker = points.lastIndex {
            $0.call.hasPrefix("rename") && $0.excerpt.contains("/CrashLogs/") && $0.excerpt.contains("-load\"")
        }
        guard let marker, marker + 1 < points.count else {
            throw FixtureError("\(operation.name) cannot be prepared: \(words) loads nothing for the first time")
        }
        try bench.restore()
        let run = try await harness.strace.run(
            command, .kill, at: points[marker + 1], logging: bench.log, timeout: harness.timeout)
        guard run.isHit else { throw FixtureError("\(operation.name) cannot be prepared; \(run.result)") }
    }

    /// Returns the calls at which a fault is possible.
    func points(of fault: Fault) -> [FaultPoint] {
        fault == .powerCut
            ? recording?.operations.map(\.point) ?? [] : points.filter { fault.isPossible(at: $0.call) }
    }

    /// Returns all points for a fault, or the chosen ones, which need not be among them.
    func points(of fault: Fault, _ chosen: [FaultPoint]?) -> [FaultPoint] {
        let points = points(of: fault)
        return chosen.map { $0.map { point in points.first { $0 == point } ?? point } } ?? points
    }

    /// Tries points in parallel and returns their outcomes in order.
    func `try`(
        _ attempts: [(Fault, FaultPoint)], keeping keep: FilePath?, progress: @Sendable @escaping (Int) -> Void
    ) async throws -> [FaultOutcome] {
        let queue = AttemptQueue(count: attempts.count)
        return try await withThrowingTaskGroup(of: [(Int, FaultOutcome)].self) { group in
            for _ in 0..<max(1, min(harness.jobs, attempts.count)) {
                group.addTask { @concurrent in
                    // Several tests use a stage at the same time. How deep a path is affects the number of calls.
                    let place = try ThrowawayFolder(in: folder)
                    let bench = try FaultBench(folder: place.path, prepared: prepared, for: reference.operation)
                    var outcomes: [(Int, FaultOutcome)] = []
                    while let index = queue.next() {
                        progress(index)
                        let (fault, point) = attempts[index]
                        outcomes.append((index, try await attempt(fault, point, on: bench, keeping: keep)))
                    }
                    withExtendedLifetime(place) {}
                    return outcomes
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// The permitted exit statuses of a host after a failed system call.
    ///
    /// They mean success, unreachable catalog, file system error, and temporary failure; 127 is that of the dynamic loader if the host does
    /// not start.
    private static let statusesAfterError: Set<Int32> = [0, 69, 74, 75, 127]

    private func attempt(
        _ fault: Fault, _ point: FaultPoint, on bench: FaultBench, keeping keep: FilePath?
    ) async throws -> FaultOutcome {
        var outcome = FaultOutcome(fault: fault, point: point)
        // strace counts the calls of each thread separately and cannot select a thread.
        guard point.thread == 0 else { return outcome }
        if fault == .powerCut { return try await cutPower(at: point, on: bench, keeping: keep) }
        try bench.restore()
        let command = [harness.host.hostapp.path.string] + harness.words(of: reference.operation, in: bench.root)
        outcome.commandLine = harness.strace.commandLine(command, fault, at: point)
        do {
            var run = try await harness.strace.run(
                command, fault, at: point, logging: bench.log, timeout: harness.timeout)
            // The number of background writes depends on timing, so a call may not occur in every run.
            for _ in 0..<7 where !run.isHit {
                try bench.restore()
                run = try await harness.strace.run(
                    command, fault, at: point, logging: bench.log, timeout: harness.timeout)
            }
            guard run.isHit else { return outcome }
            outcome.status = run.result.status
            if fault != .kill, let signal = run.result.signal {
                outcome.violations.append(
                    FaultViolation("crash", "the host ended with signal \(signal); \(run.result)"))
            } else if fault.isError, !Self.statusesAfterError.contains(run.result.status) {
                outcome.violations.append(
                    FaultViolation("status", "a failing call was reported as another fault; \(run.result)"))
            }
        } catch let failure as ProcessFailure {
            outcome.violations.append(FaultViolation("hang", "\(failure)"))
        }
        outcome.isTried = true
        if let keep { try bench.copy(to: keep) }
        outcome.violations += try await validate(try bench.state(), hasSucceeded: outcome.status == 0, on: bench)
        return outcome
    }

    /// Returns the violations of a sandbox after a fault, and of the following commands.
    ///
    /// The result depends only on the disk, so an identical disk is checked only once.
    func validate(
        _ state: SandboxState, hasSucceeded: Bool, on bench: FaultBench
    ) async throws -> [FaultViolation] {
        if let known = knownViolations.violations(on: state.tree, hasSucceeded) { return known }
        var violations = harness.check(state, reference)
        let isPutOff = reference.operation.isPostponable && state.installed == reference.before.installed
        if hasSucceeded, !isPutOff, state.installed != reference.after.installed {
            violations.append(FaultViolation("done", "the host has said that it is done, and it is not"))
        }
        // An unreadable sandbox cannot be used further, and violations must not cause others.
        if violations.isEmpty { violations += try await goOn(from: state, on: bench) }
        knownViolations.remember(violations, of: state.tree, hasSucceeded)
        return violations
    }

    /// Checks I5 by running the same command again, and then I6.
    private func goOn(from state: SandboxState, on bench: FaultBench) async throws -> [FaultViolation] {
        let isDone = state.installed == reference.after.installed && state.installed != reference.before.installed
        let expected = isDone ? reference.repeated : reference.after
        let status = isDone ? reference.repeatedStatus : 0
        let again = try await harness.run(reference.operation, in: bench.root)
        // If the registry already has the new state, the repeated command may still have had something to finish.
        guard again.status == status || again.status == 0 else {
            return [FaultViolation("I5", "run again it should have ended with \(status); \(again)")]
        }
        let result = try bench.state()
        var violations = harness.check(result, reference.continued).map {
            FaultViolation("I5", "after running it again, \($0.invariant): \($0.message)")
        }
        if result.installed != expected.installed {
            violations.append(FaultViolation("I5", "run again it has not done what it does without faults"))
        }
        let data = ["Containers/Data", "Containers/Shared"]
        if data.contains(where: { result.nodes(below: $0) != expected.nodes(below: $0) }) {
            violations.append(FaultViolation("I5", "run again it has left other data than it does without faults"))
        }
        guard violations.isEmpty else { return violations }
        let settled = try await harness.run(FaultHarness.settling, in: bench.root)
        guard settled.status == 0 else { return [FaultViolation("I6", "\(settled)")] }
        let end = try bench.state()
        violations = harness.check(end, reference.continued)
        violations += SandboxInvariant.diskHoldsWhatIsNamed.violations(in: end, reference).map {
            FaultViolation("I6", $0)
        }
        return violations
    }
}

extension FaultHarness {
    fileprivate func check(_ state: SandboxState, _ reference: FaultReference) -> [FaultViolation] {
        invariants.flatMap { invariant in
            invariant.violations(in: state, reference).map { FaultViolation(invariant.name, $0) }
        }
    }
}

extension FaultReference {
    /// The reference for a repeated command, where the old state is that after the first run.
    fileprivate var continued: FaultReference {
        FaultReference(
            operation: operation, before: after, after: repeated, repeated: repeated, repeatedStatus: repeatedStatus)
    }
}

/// The prepared operations of a harness. Callers at the same time share one preparation.
final class PreparedStages: Sendable {
    private let stages = Mutex<[String: Task<FaultStage, any Error>]>([:])

    func stage(
        _ operation: String, _ make: @escaping @Sendable () async throws -> FaultStage
    ) async throws -> FaultStage {
        try await stages.withLock { stages in
            let stage = stages[operation] ?? Task { try await make() }
            stages[operation] = stage
            return stage
        }.value
    }
}

/// A queue of consecutive numbers for parallel jobs.
private final class AttemptQueue: Sendable {
    private let count: Int
    private let handedOut = Atomic<Int>(0)

    init(count: Int) {
        self.count = count
    }

    func next() -> Int? {
        let number = handedOut.add(1, ordering: .relaxed).oldValue
        return number < count ? number : nil
    }
}

/// A cache of the violations of disks that were already checked.
private final class KnownViolations: Sendable {
    private struct Disk: Hashable {
        let nodes: [String: FileTree.Node]
        let hasSucceeded: Bool
    }

    private let known = Mutex<[Disk: [FaultViolation]]>([:])

    func violations(on tree: FileTree, _ hasSucceeded: Bool) -> [FaultViolation]? {
        known.withLock { $0[disk(tree, hasSucceeded)] }
    }

    func remember(_ violations: [FaultViolation], of tree: FileTree, _ hasSucceeded: Bool) {
        known.withLock { $0[disk(tree, hasSucceeded)] = violations }
    }

    /// The lock file contains the process, which differs in every run, so its content is ignored.
    private func disk(_ tree: FileTree, _ hasSucceeded: Bool) -> Disk {
        var nodes = tree.nodes
        let lock = "Containers/Bundle/host.lock"
        if nodes[lock] != nil { nodes[lock] = .special(mode: 0) }
        return Disk(nodes: nodes, hasSucceeded: hasSucceeded)
    }
}
