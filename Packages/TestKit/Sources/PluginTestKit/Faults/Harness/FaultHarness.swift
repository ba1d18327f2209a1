internal import FoundationEssentials
public import PluginCore

/// Runs a command of the real host once for each system call that touches files, with one fault there, and judges what it
/// leaves behind.
///
/// ```swift
/// let harness = try await FaultHarness(host: .find(), catalog: catalog.folder)
/// let report = try await harness.run(.standard(for: "com.example.app.shop", versions: ["1.0.0", "1.1.0"], beside: nil))
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
///
/// A fault is a kill or a failing call, or a power cut: then the disk is made as it may be when what the host has not waited for
/// is lost.
public struct FaultHarness: Sendable {
    /// The host whose commands are run.
    public let host: HostApp
    /// The catalog that they see.
    public let catalog: FilePath
    /// What has to hold after each fault.
    public var invariants = standardInvariants
    /// The command that clears up what an interruption has left, after which ``DiskHoldsWhatIsNamed`` has to hold; `nil` for a
    /// host that has none, and then that is not checked.
    public var settling: [String]?
    /// How many points are tried at once.
    public var jobs = 2
    /// Of how many points one is tried.
    public var every = 1
    /// Which one of ``every``.
    public var seed: UInt64 = 0
    /// How long a command may take.
    public var timeout = Duration.seconds(120)

    let strace: Strace
    let place: ThrowawayFolder

    /// A harness on a build and a catalog.
    ///
    /// - Parameter folder: where sandboxes are made; by default in memory, in `/dev/shm`, if that can be written, else in the
    ///   system's temporary folder. A kill and a failing call do the same on every file system; waiting for a disk takes longer.
    /// - Throws: ``FixtureError`` when strace(1) or clang is not there.
    public init(host: HostApp, catalog: FilePath, in folder: FilePath? = nil) async throws {
        self.host = host
        self.catalog = catalog
        let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? FilePath("/dev/shm") : nil
        place = try (folder ?? memory).map { try ThrowawayFolder(in: $0) } ?? ThrowawayFolder()
        strace = try Strace(preloading: try await OneThread(in: place))
        let help = try await host.hostapp.run("gc", "--help")
        settling = help.status == 0 ? ["gc"] : nil
        try FileManager.default.createDirectory(atPath: emptyCatalog.string, withIntermediateDirectories: false)
    }

    /// Tries every point, or every ``every``-th one.
    ///
    /// - Parameters:
    ///   - operations: what is run.
    ///   - faults: what goes wrong.
    ///   - chosen: the only points to try; `nil` for all.
    ///   - keep: a folder that gets the sandbox of the last fault as it was left; `nil` for none.
    ///   - progress: hears, before each point, how many of how many of an operation have been tried.
    /// - Throws: ``FixtureError`` when an operation does not succeed without faults, and what the file system throws.
    public func run(
        _ operations: [FaultOperation], faults: [Fault] = Fault.allCases, only chosen: [FaultPoint]? = nil,
        keeping keep: FilePath? = nil,
        progress: @Sendable @escaping (_ operation: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
    ) async throws -> FaultReport {
        var rows: [FaultReport.Row] = []
        for operation in operations {
            let stage = try await FaultStage(operation, harness: self, recording: faults.contains(.powerCut))
            let attempts = faults.enumerated().flatMap { index, fault in
                selected(from: stage.points(of: fault, chosen), turn: index).map { (fault, $0) }
            }
            let outcomes = try await stage.try(attempts, keeping: keep) { progress(operation.name, $0, attempts.count) }
            for fault in faults {
                rows.append(
                    FaultReport.Row(
                        operation: operation.name, fault: fault, points: stage.points(of: fault).count,
                        floors: stage.reference.before.floors.count,
                        outcomes: outcomes.filter { $0.fault == fault }))
            }
        }
        return FaultReport(rows: rows, isSettled: settling != nil)
    }

    /// The points of an operation where a fault can happen, in order.
    ///
    /// - Throws: as ``run(_:faults:only:keeping:progress:)``.
    public func points(of operation: FaultOperation, for fault: Fault = .kill) async throws -> [FaultPoint] {
        try await FaultStage(operation, harness: self, recording: fault == .powerCut).points(of: fault)
    }

    /// What an operation does without faults.
    ///
    /// - Throws: as ``run(_:faults:only:keeping:progress:)``.
    public func reference(of operation: FaultOperation) async throws -> FaultReference {
        try await FaultStage(operation, harness: self).reference
    }

    /// Other faults get other points of the sample.
    private func selected(from points: [FaultPoint], turn: Int) -> [FaultPoint] {
        guard every > 1, points.count > 1 else { return points }
        let start = Int(seed % UInt64(every)) + turn
        return points.indices.filter { ($0 + start).isMultiple(of: every) }.map { points[$0] }
    }

    private var emptyCatalog: FilePath { place.appending("no-catalog") }

    /// A command of the host on a sandbox.
    func words(_ command: [String], in sandbox: FilePath, seeingCatalog isSeen: Bool = true) -> [String] {
        ["--sandbox", sandbox.string, "--catalog", (isSeen ? catalog : emptyCatalog).string] + command
    }

    /// The command of an operation on a sandbox.
    func words(of operation: FaultOperation, in sandbox: FilePath) -> [String] {
        words(operation.command, in: sandbox, seeingCatalog: operation.hasCatalog)
    }

    /// Runs the command of an operation without faults.
    func run(_ operation: FaultOperation, in sandbox: FilePath) async throws(ProcessFailure) -> ProcessResult {
        try await run(words: words(of: operation, in: sandbox))
    }

    func run(_ command: [String], in sandbox: FilePath) async throws(ProcessFailure) -> ProcessResult {
        try await run(words: words(command, in: sandbox))
    }

    private func run(words: [String]) async throws(ProcessFailure) -> ProcessResult {
        try await Executable(host.hostapp.path).run(
            words, environment: ["SWIFT_BACKTRACE": "enable=no"], timeout: timeout)
    }
}
