package import PluginTestKit
import FoundationEssentials
package import PluginCore

/// A harness that injects a fault into each system call of a host command and checks the resulting sandbox.
///
/// ```swift
/// let harness = try await FaultHarness(host: .find(), catalog: catalog.folder)
/// let operations = FaultOperation.standard(for: "com.example.app.shop", versions: [first, second], beside: nil)
/// let report = try await harness.run(operations)
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
///
/// A fault is a kill, a failing call, or a power cut. For a power cut, the harness creates disks on which unsynced changes are lost.
package struct FaultHarness: Sendable {
    /// The host whose commands are run.
    package let host: HostApp
    /// The catalog for the commands.
    package let catalog: FilePath
    /// The invariants that must hold after each fault.
    package var invariants = [SandboxInvariant].standard
    /// The command that removes leftovers of an interruption. Afterward ``SandboxInvariant/diskHoldsWhatIsNamed`` must hold.
    package static let settling = ["gc"]
    /// The number of points that are tried in parallel.
    package var jobs = 2
    /// The interval of the sample: one of this many points is tried.
    package var every = 1
    /// The offset of the sample.
    package var seed: UInt64 = 0
    /// The time limit of a command.
    package var timeout = Duration.seconds(120)

    let strace: Strace
    let place: ThrowawayFolder
    /// The operations that this harness and its copies have prepared; `nil` in that of a stage, which would keep itself alive.
    private var stages: PreparedStages? = PreparedStages()

    /// Creates a harness for a build and a catalog.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - catalog: The catalog.
    ///   - folder: The folder for sandboxes, by default `/dev/shm` if it is writable, otherwise the system's temporary folder. Kills and
    ///     failing calls have the same effect on all file systems, and memory is faster than a disk.
    /// - Throws: ``FixtureError`` if clang is missing.
    package init(host: HostApp, catalog: FilePath, in folder: FilePath? = nil) async throws {
        (self.host, self.catalog) = (host, catalog)
        let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? FilePath("/dev/shm") : nil
        place = try (folder ?? memory).map { try ThrowawayFolder(in: $0) } ?? ThrowawayFolder()
        strace = Strace(preloading: try await OneThread(in: place))
        try FileManager.default.createDirectory(atPath: emptyCatalog.string, withIntermediateDirectories: false)
    }

    /// Tries all points of the operations, or a sample of them.
    ///
    /// - Parameters:
    ///   - operations: The operations.
    ///   - faults: The faults.
    ///   - chosen: The only points to try, or `nil` for all.
    ///   - keep: A folder that receives the sandbox after the last fault, or `nil`.
    ///   - progress: Called before each point with the number of tried points and of all points of an operation.
    /// - Throws: ``FixtureError`` if an operation fails without faults, and the errors of the file system.
    package func run(
        _ operations: [FaultOperation], faults: [Fault] = Fault.allCases, only chosen: [FaultPoint]? = nil,
        keeping keep: FilePath? = nil,
        progress: @Sendable @escaping (_ operation: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
    ) async throws -> FaultReport {
        var rows: [FaultReport.Row] = []
        for operation in operations {
            let stage = try await stage(of: operation, recording: faults.contains(.powerCut))
            let attempts = faults.enumerated().flatMap { index, fault in
                selected(from: stage.points(of: fault, chosen), turn: index).map { (fault, $0) }
            }
            let outcomes = try await stage.try(attempts, keeping: keep) { progress(operation.name, $0, attempts.count) }
            for fault in faults {
                rows.append(
                    FaultReport.Row(
                        operation: operation.name, fault: fault, points: stage.points(of: fault).count,
                        minimumVersions: stage.reference.before.minimumVersions.count,
                        outcomes: outcomes.filter { $0.fault == fault }))
            }
        }
        return FaultReport(rows: rows)
    }

    /// Returns the points of an operation at which a fault is possible, in order.
    ///
    /// - Throws: The errors of ``run(_:faults:only:keeping:progress:)``.
    package func points(of operation: FaultOperation, for fault: Fault = .kill) async throws -> [FaultPoint] {
        try await stage(of: operation, recording: fault == .powerCut).points(of: fault)
    }

    /// Returns the effect of an operation without faults.
    ///
    /// - Throws: The errors of ``run(_:faults:only:keeping:progress:)``.
    package func reference(of operation: FaultOperation) async throws -> FaultReference {
        try await stage(of: operation, recording: false).reference
    }

    /// Returns an operation with its preparation, which takes several runs of the host and so is made once.
    private func stage(of operation: FaultOperation, recording: Bool) async throws -> FaultStage {
        var harness = self
        harness.stages = nil
        let make = { @Sendable [harness] in try await FaultStage(operation, harness: harness, recording: recording) }
        guard let stages else { return try await make() }
        return try await stages.stage("\(operation) \(recording) \(invariants.map(\.name))", make)
    }

    /// Returns the sample for a fault. Different faults get different points.
    private func selected(from points: [FaultPoint], turn: Int) -> [FaultPoint] {
        guard every > 1, points.count > 1 else { return points }
        let start = Int(seed % UInt64(every)) + turn
        return points.indices.filter { ($0 + start).isMultiple(of: every) }.map { points[$0] }
    }

    private var emptyCatalog: FilePath { place.appending("no-catalog") }

    /// Returns the arguments of a host command on a sandbox.
    ///
    /// - Parameter place: The catalog; `nil` for the folder of packages.
    func words(_ command: [String], in sandbox: FilePath, from place: String? = nil) -> [String] {
        ["--sandbox", sandbox.string, "--catalog", place ?? catalog.string] + command
    }

    /// Returns the arguments of an operation on a sandbox.
    func words(of operation: FaultOperation, in sandbox: FilePath) -> [String] {
        let folder = (operation.hasCatalog ? catalog : emptyCatalog).string
        return words(operation.command, in: sandbox, from: operation.address ?? folder)
    }

    /// Runs an operation without faults.
    func run(_ operation: FaultOperation, in sandbox: FilePath) async throws(ProcessFailure) -> ProcessResult {
        try await run(words: words(of: operation, in: sandbox))
    }

    func run(
        _ command: [String], in sandbox: FilePath, from place: String? = nil
    ) async throws(ProcessFailure) -> ProcessResult {
        try await run(words: words(command, in: sandbox, from: place))
    }

    private func run(words: [String]) async throws(ProcessFailure) -> ProcessResult {
        try await Executable(host.hostapp.path).run(
            words, environment: ["SWIFT_BACKTRACE": "enable=no"], timeout: timeout)
    }
}
