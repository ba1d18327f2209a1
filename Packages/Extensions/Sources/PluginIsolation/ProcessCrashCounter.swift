import CrashReports
import ExtensionProcess
import HostSystem
package import PluginCore
package import PluginRuntime
import Processes
package import Registry

/// The counting of crashes in processes of isolated plugins, and the quarantine after too many.
struct ProcessCrashCounter {
    let crashes: ProcessCrashes
    private let updates: LiveUpdates
    private let log: @Sendable (AtriumError) -> Void

    init(_ updates: LiveUpdates) {
        self.updates = updates
        log = { [log = updates.log] in log("host", .error, .error($0)) }
        crashes = ProcessCrashes(updates.sandbox, report: log)
    }

    /// Counts a crash of a version. After three in five minutes, the version is quarantined, and the version before it becomes active.
    ///
    /// - Parameter host: The report of the host that crashed, which counts only once.
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    func count(_ error: AtriumError, in bundle: PluginBundle, endOf host: RecordedCrash? = nil) async throws {
        guard try crashes.add(bundle, at: Clock.now(), endOf: host) else { return }
        let reason = ErrorReason(
            "pluginCrashedOften", ["limit": .integer(ProcessCrashes.limit), "error": .reason(.error(error))])
        _ = try await updates.quarantine.quarantine(bundle, because: reason)
        // Not before: if the sandbox is busy, the next crash quarantines the version.
        try crashes.forget(bundle)
        await updates.refresh()
    }

    /// Counts a failure of an extension, and disables it after three in five minutes. Returns whether it is disabled now.
    func count(
        failureOf part: BundleIdentifier, in bundle: PluginBundle, endOf host: RecordedCrash? = nil
    ) throws -> Bool {
        guard try crashes.add(bundle, part: part, at: Clock.now(), endOf: host) else { return false }
        try updates.registry.extensionChoices.setEnabled(false, of: part)
        // Not before: if the sandbox is busy, the next failure disables the extension.
        try crashes.forget(bundle, part: part)
        return true
    }

    /// Counts the ends of hosts that crashed while they handled a process's message as crashes of this process.
    ///
    /// If it fails, the next start of a host does it, and the crashes stay.
    func countEndsOfHosts() async {
        let (registry, reports) = (updates.registry, CrashReportFolder(updates.sandbox))
        do {
            for host in try reports.all(since: Clock.now() - ProcessCrashes.period).reversed() {
                // A bundle with code on the stack is blamed for that, by its crash log.
                guard let sender = host.sender, let signal = host.signal, host.bundle == sender.bundle,
                    let bundle = try registry.active.version(of: sender.bundle.identifier),
                    bundle.identity == sender.bundle
                else { continue }
                let reason = ErrorReason("hostEndedByMessage", ["signal": .text(SignalName.name(of: signal))])
                if let part = sender.extension {
                    if try count(failureOf: part, in: bundle, endOf: host) {
                        log(AtriumError(.extensionCrashed, part, reason: reason))
                    }
                } else {
                    try await count(
                        AtriumError(.pluginCrashed, sender.bundle, reason: reason), in: bundle, endOf: host)
                }
            }
        } catch {
            log(error as? AtriumError ?? AtriumError(.inputOutput, "", reason: .verbatim("\(error)")))
        }
    }
}

/// The recent crashes in processes of extensions and isolated plugins, which all hosts of a sandbox share.
struct ProcessCrashes {
    /// The number of crashes within ``period`` after which a version is quarantined or an extension disabled.
    static let limit = 3
    /// The time for which a crash counts, in seconds.
    static let period: Int64 = 300

    struct Document: VersionedDocument {
        static let supportedVersion = 1
        var formatVersion = supportedVersion
        var crashes: [Crash] = []
    }

    struct Crash: Codable, Equatable {
        /// The digest of the version's content.
        var digest: String
        /// The extension; nil for the plugin itself.
        var part: String?
        /// The time in seconds since 1970.
        let at: Int64
        /// The name of the report about the end of a host that counts as the crash; nil for the end of the process.
        var host: String?
    }

    private let file: VersionedFile<Document>

    init(_ sandbox: Sandbox, report: @escaping @Sendable (AtriumError) -> Void) {
        file = VersionedFile(
            sandbox.hostData.appending("Library/extension-crashes.json"), sizeLimit: 1 << 20, full: .storageFull,
            losing: "extensionCrashesLost", report: report)
    }

    /// Records a crash of a version's plugin, or of one of its extensions, each of which is counted alone.
    ///
    /// - Parameter host: The report about the end of a host, which counts only once.
    /// - Returns: Whether there are too many.
    func add(
        _ bundle: PluginBundle, part: BundleIdentifier? = nil, at now: Int64, endOf host: RecordedCrash? = nil
    ) throws -> Bool {
        var isOver = false
        try file.change { document in
            if let host, document.crashes.contains(where: { $0.host == host.name }) { return }
            document.crashes.removeAll { $0.at < now - Self.period || $0.at > now }
            document.crashes.append(
                Crash(digest: bundle.digest, part: part?.text, at: host?.at ?? now, host: host?.name))
            isOver = document.crashes.count { $0.digest == bundle.digest && $0.part == part?.text } >= Self.limit
        }
        return isOver
    }

    /// Forgets the crashes of a version's plugin or extension, which start from zero then.
    func forget(_ bundle: PluginBundle, part: BundleIdentifier? = nil) throws {
        let isMeant = { (crash: Crash) in crash.digest == bundle.digest && crash.part == part?.text }
        try file.change { document in
            document.crashes.removeAll { isMeant($0) && $0.host == nil }
            // The report stays in its folder, and must not count again.
            for index in document.crashes.indices where isMeant(document.crashes[index]) {
                document.crashes[index].digest = ""
            }
        }
    }
}

extension Host {
    /// The number of failures of an extension within five minutes after which it is disabled.
    package static let failureLimit = ProcessCrashes.limit

    /// Counts a failure of an extension, and disables it after three in five minutes.
    ///
    /// Its bundle goes on, with its other extensions.
    ///
    /// - Returns: Whether the extension is disabled now.
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    package func countFailure(of identifier: BundleIdentifier, in bundle: PluginBundle) throws -> Bool {
        try ProcessCrashCounter(liveUpdates).count(failureOf: identifier, in: bundle)
    }
}
