import HostSystem
import PluginCore
import Registry

/// The counting of crashes in processes of isolated plugins, and the quarantine after too many.
struct ProcessCrashCounter: Sendable {
    let crashes: ProcessCrashes
    private let quarantine: CrashQuarantine
    private let liveUpdates: LiveUpdates

    init(_ sandbox: Sandbox, _ quarantine: CrashQuarantine, _ liveUpdates: LiveUpdates, log: @escaping HostServices.Log)
    {
        crashes = ProcessCrashes(sandbox) { log("host", .error, .error($0)) }
        self.quarantine = quarantine
        self.liveUpdates = liveUpdates
    }

    /// Counts a crash of a version. After three in five minutes, the version is quarantined, and the version before it becomes active.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    func count(_ error: AtriumError, in bundle: PluginBundle) async throws {
        guard try crashes.add(bundle, at: Clock.now()) else { return }
        let values: [String: ErrorReason.Value] = [
            "limit": .integer(ProcessCrashes.limit), "error": .reason(.error(error)),
        ]
        _ = try await quarantine.quarantine(bundle, because: ErrorReason("pluginCrashedOften", values))
        // Not before: if the sandbox is busy, the next crash quarantines the version.
        try crashes.forget(bundle)
        await liveUpdates.refresh()
    }
}

/// The recent crashes in processes of extensions and isolated plugins, which all hosts of a sandbox share.
struct ProcessCrashes: Sendable {
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
        let digest: String
        /// The extension; nil for the plugin itself.
        var part: String?
        /// The time in seconds since 1970.
        let at: Int64
    }

    private let file: VersionedFile<Document>

    init(_ sandbox: Sandbox, report: @escaping @Sendable (AtriumError) -> Void) {
        file = VersionedFile(
            sandbox.hostData.appending("Library/extension-crashes.json"), sizeLimit: 1 << 20, full: .storageFull,
            losing: "extensionCrashesLost", report: report)
    }

    /// Records a crash of a version's plugin, or of one of its extensions, each of which is counted alone.
    ///
    /// - Returns: Whether there are too many.
    func add(_ bundle: PluginBundle, part: BundleIdentifier? = nil, at now: Int64) throws -> Bool {
        var isOver = false
        try file.change { document in
            document.crashes.removeAll { $0.at < now - Self.period || $0.at > now }
            document.crashes.append(Crash(digest: bundle.digest, part: part?.text, at: now))
            isOver = document.crashes.count { $0.digest == bundle.digest && $0.part == part?.text } >= Self.limit
        }
        return isOver
    }

    /// Forgets the crashes of a version's plugin or extension, which start from zero then.
    func forget(_ bundle: PluginBundle, part: BundleIdentifier? = nil) throws {
        try file.change { document in document.crashes.removeAll { $0.digest == bundle.digest && $0.part == part?.text }
        }
    }
}
