import HostSystem
import PluginCore
import Registry

/// The counting of crashes in processes of extensions and plugins, and the quarantine after too many.
struct ProcessCrashCounter: Sendable {
    private let crashes: ProcessCrashes
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
    /// - Parameters:
    ///   - reason: The name of the quarantine's reason.
    ///   - part: The identifier of the extension or bundle.
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    func count(_ error: AtriumError, in bundle: PluginBundle, of part: BundleIdentifier, as reason: String) async throws
    {
        guard try crashes.add(bundle, at: Clock.now()) else { return }
        let values: [String: ErrorReason.Value] = [
            "extension": .text(part.text), "limit": .integer(ProcessCrashes.limit), "error": .reason(.error(error)),
        ]
        _ = try await quarantine.quarantine(bundle, because: ErrorReason(reason, values))
        await liveUpdates.refresh()
    }
}
