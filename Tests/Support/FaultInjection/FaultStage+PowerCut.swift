import PluginTestKit
import FoundationEssentials
import PluginCore

extension FaultStage {
    /// Runs the command once and records its changes of the disk.
    static func record(_ command: [String], on bench: FaultBench, _ harness: FaultHarness) async throws -> DiskRecording
    {
        try bench.restore()
        let before = try DiskImage(of: bench.root)
        let (calls, result) = try await harness.strace.changes(
            of: command, logging: bench.log, timeout: harness.timeout)
        guard result.status == 0 else { throw FixtureError("it does not succeed under strace; \(result)") }
        return try DiskRecording(of: bench.root, before: before, calls: calls)
    }

    /// Creates each disk that a power cut right after a call may leave behind, and checks it.
    func cutPower(at point: FaultPoint, on bench: FaultBench, keeping keep: FilePath?) async throws -> FaultOutcome {
        var outcome = FaultOutcome(fault: .powerCut, point: point)
        guard let recording, let index = recording.operations.firstIndex(where: { $0.point == point }) else {
            return outcome
        }
        outcome.isTried = true
        let cut = PowerCut(recording: recording, index: index)
        // After the last change, the host reports success.
        let isDone = index == recording.operations.count - 1
        for loss in cut.losses() {
            try bench.clear()
            try cut.image(after: loss).write(to: bench.root.parent)
            if let keep { try bench.copy(to: keep) }
            let found = try await validate(try bench.state(), hasSucceeded: isDone, on: bench)
            guard !found.isEmpty else { continue }
            // One disk is enough for the report, and the kept sandbox should be the same one.
            outcome.violations = found
            outcome.commandLine = cut.description(of: loss)
            break
        }
        return outcome
    }
}
