import Registry
import HostSystem
import PluginCore
import Synchronization

/// The crash logs of a sandbox, which exist while a version's code runs for the first time and so survive a crash.
///
/// ```swift
/// let sentinel = store.begin(bundle.key, .load)
/// defer { sentinel?.end() }
/// sentinel?.isOpening(library.string)
/// ```
///
/// Crash logs aren't synced to the disk, since they must survive the end of the process but not a power failure. See
/// Documentation/Decisions/0001-crash-detection.md.
final class CrashLogStore: Sendable {
    let sandbox: Sandbox
    var folder: FilePath { sandbox.crashLogs }
    let limits: CrashMonitorLimits
    let onHang: @Sendable (HangReport) -> Void
    /// The error of the last attempt to quarantine crashed versions, if it failed.
    let obstacle = Mutex<AtriumError?>(nil)
    /// The loader's names of the versions' libraries.
    let images = Mutex<[VersionKey: String]>([:])

    /// Creates the store of a sandbox, without reading or writing anything.
    ///
    /// - Parameters:
    ///   - sandbox: the sandbox with the crash logs.
    ///   - limits: the time limits of the code.
    ///   - onHang: called on a separate thread when code exceeds its time limit. The hang has been recorded then, so a host may
    ///     end its process.
    init(
        _ sandbox: Sandbox, limits: CrashMonitorLimits = CrashMonitorLimits(),
        onHang: @escaping @Sendable (HangReport) -> Void = { _ in }
    ) {
        self.sandbox = sandbox
        self.limits = limits
        self.onHang = onHang
    }

    /// Writes a crash log before a version's code runs on this thread.
    ///
    /// - Parameters:
    ///   - version: the version.
    ///   - phase: the part of its code that runs.
    ///   - isHeld: whether ``CrashSentinel/gaveWay()`` will be called when the code releases this thread. Otherwise neither a
    ///     hang nor the killing of the host counts against the version.
    ///   - onRelease: called once, when the code no longer uses this thread.
    /// - Returns: the sentinel to end; `nil` when nothing can be written, which isn't an error.
    func begin(
        _ version: VersionKey, _ phase: ExecutionPhase, isHeld: Bool = true, onRelease: (@Sendable () -> Void)? = nil
    ) -> CrashSentinel? {
        let bytes = CrashLog(version, phase).bytes + Array((isHeld ? "" : CrashLog.waits + "\n").utf8)
        guard (try? sandbox.requireOwn([folder])) != nil,
            let file = CrashLogFile(bytes, about: phase.rawValue, in: folder)
        else { return nil }
        return CrashSentinel(of: version, phase, in: self, writing: file, isHeld: isHeld, onRelease: onRelease)
    }

    /// A crash log whose process has ended, with the time of its last write; without content when it isn't a valid one.
    private typealias Dead = (name: EntryName, crashLog: CrashLog?, writtenAt: Int64)
    /// The suffix of the name after a crash log has been counted as a strike, so that strikes found later are further ones.
    private static let counted = ".counted"
    /// The time in which a crash log is expected to get its final name, in seconds.
    private static let birth: Int64 = 60

    /// Returns the crash or hang that a version has caused, if any.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a crash log can't be read that may be about the version.
    func report(on version: VersionKey) throws(AtriumError) -> CrashReport? {
        let reading = reading()
        if let report = reading.reports.first(where: { $0.version == version }) { return report }
        if let obstacle = reading.obstacle { throw obstacle }
        return nil
    }

    /// The result of reading all crash logs.
    struct Reading {
        var reports: [CrashReport] = []
        /// The error of the first unreadable crash log, which stays for the next check.
        var obstacle: AtriumError?

        /// A Boolean value that indicates whether no version has failed, and all crash logs could be read.
        var isClear: Bool { reports.isEmpty && obstacle == nil }
    }

    /// Reads the crash logs of dead processes, and returns the versions that have crashed or hung a host, with one result each.
    ///
    /// Results stay until ``forget(_:)``, and however often they are read, no strike is counted twice. A folder that is a link isn't
    /// read.
    ///
    /// A version has failed after one crash in its own code, or one hang. If a host ended for an unknown reason while the code was
    /// running, that is a strike, and a version has failed after two strikes. All processes that ended since the last check
    /// count as one strike, because they are often killed together. Every load of a version that hasn't run successfully checks;
    /// see ``report(on:)``.
    ///
    /// - Parameter isSweeping: whether strikes are counted, and irrelevant crash logs are removed.
    func reading(sweeping isSweeping: Bool = true) -> Reading {
        var reading = Reading()
        do {
            guard let folder = try sandbox.openedUnlessLinked(folder) else { return reading }
            var crashed: [VersionKey: CrashReport] = [:]
            // Events that could be coincidences if they happen only once.
            var strikes: [VersionKey: [(name: EntryName, report: CrashReport)]] = [:]
            for dead in try dead(in: folder, sweeping: isSweeping, obstacle: &reading.obstacle) {
                switch (dead.crashLog, dead.crashLog?.attribution) {
                case (let crashLog?, .quarantine(let cause)):
                    let report = crashLog.report(cause, at: dead.writtenAt)
                    crashed[crashLog.version] = crashed[crashLog.version] ?? report
                case (let crashLog?, .strike(let cause)):
                    let report = crashLog.report(cause, at: dead.writtenAt)
                    strikes[crashLog.version, default: []].append((dead.name, report))
                default: if isSweeping { folder.unlink(dead.name) }
                }
            }
            for (version, all) in strikes {
                let news = all.filter { !$0.name.words.hasSuffix(Self.counted) }
                if isSweeping {
                    // The others are removed first, so that a concurrent check finds at most one.
                    for strike in news.dropFirst() { folder.unlink(strike.name) }
                    if let name = news.first?.name, let text = name.text {
                        folder.rename(name, to: EntryName(text + Self.counted))
                    }
                }
                // New strikes count as one, so only the first is kept.
                let struck = all.filter { $0.name.words.hasSuffix(Self.counted) } + news.prefix(1)
                if struck.count > 1, let last = struck.last { crashed[version] = crashed[version] ?? last.report }
            }
            reading.reports = crashed.values.sorted {
                ($0.at, $0.identity.description) < ($1.at, $1.identity.description)
            }
        } catch {
            reading.obstacle = error
        }
        return reading
    }

    /// Removes all crash logs of a version, such as when its crash or hang has been dealt with.
    func forget(_ version: VersionKey) { remove { $0.version == version } }

    /// Removes the strikes of a version that has run successfully.
    func clearStrikes(_ version: VersionKey) {
        remove { if case .strike = $0.attribution { $0.version == version } else { false } }
    }

    /// Calls a closure with each crash or hang and removes its crash logs; only one of several starting hosts does so at a time.
    ///
    /// If the closure throws for one version, the others are still processed.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when another host takes too long, or the first error of `act`, after
    ///   which the crash logs of that version stay, or else the error of an unreadable crash log.
    func process(_ act: (CrashReport) throws -> Void) throws {
        // The usual case, which needs no lock.
        if reading().isClear { return }
        try FileSystem.whileLocked(folder) {
            let reading = reading()
            var obstacle: (any Error)?
            for report in reading.reports {
                do {
                    try act(report)
                    forget(report.version)
                } catch {
                    obstacle = obstacle ?? error
                }
            }
            if let obstacle = obstacle ?? reading.obstacle { throw obstacle }
        }
    }

    /// Removes crash logs of dead processes that satisfy a condition, except unreadable ones.
    private func remove(_ isMeant: (CrashLog) -> Bool) {
        var obstacle: AtriumError?
        guard let folder = try? sandbox.openedUnlessLinked(folder),
            let all = try? dead(in: folder, obstacle: &obstacle)
        else { return }
        for dead in all where dead.crashLog.map(isMeant) ?? false { folder.unlink(dead.name) }
    }

    /// Returns the crash logs of dead processes, oldest first.
    ///
    /// - Parameter obstacle: set to the error of the first unreadable crash log, unless it is set already.
    private func dead(
        in folder: OpenFolder, sweeping isSweeping: Bool = true, obstacle: inout AtriumError?
    ) throws(AtriumError) -> [Dead] {
        var dead: [Dead] = []
        for name in try folder.names() {
            // A file without its final name may be about to be locked by its process.
            let isNew = name.words.hasPrefix(".")
            if isNew, folder.modified(name) > Clock.now() - Self.birth { continue }
            do {
                // A file of a living process is locked.
                guard let file = try AbandonedCrashLogFile(name, in: folder, limit: CrashLog.limit) else { continue }
                if !isNew {
                    dead.append((name, CrashLog(file.bytes), file.writtenAt))
                } else if isSweeping {
                    folder.unlink(name)
                }
            } catch {
                // A file that never got its final name was written before any code ran.
                if !isNew { obstacle = obstacle ?? error }
            }
        }
        return dead.sorted { ($0.writtenAt, $0.name.words) < ($1.writtenAt, $1.name.words) }
    }
}
