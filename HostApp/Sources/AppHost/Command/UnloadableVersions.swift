import Console
import PluginCore
import PluginRuntime
import Registry

/// The active versions that this host cannot load, which every command about their state reports.
@MainActor
struct UnloadableVersions {
    private let found: [(bundle: PluginBundle, reason: AtriumError)]
    private let isApp: Bool

    /// Checks the active versions of a call's sandbox.
    ///
    /// - Parameters:
    ///   - identifiers: the bundles that the command is about.
    ///   - isApp: `true` if they are those of the app, which are updated together.
    /// - Throws: as `BundleManager.unloadable()`.
    init(_ call: HostCall, of identifiers: some Sequence<BundleIdentifier>, isApp: Bool) throws(AtriumError) {
        self.isApp = isApp
        // Staged versions take their place at the next start.
        let staged = try call.manager.registry.staged.all().map(\.identity.identifier)
        let meant = Set(identifiers).subtracting(staged)
        found = try call.manager.unloadable().filter { meant.contains($0.bundle.identity.identifier) }
    }

    /// Returns the exit status of a command that has ended with another one otherwise.
    func status(otherwise status: ExitStatus) -> ExitStatus { found.isEmpty ? status : .refused }

    /// The versions with the reasons and a remedy; empty if there are none.
    var text: String {
        guard !found.isEmpty else { return "" }
        var text = ""
        for (_, reason) in found {
            text += "\n\(printable(reason.report.message))\n"
            for detail in reason.report.details { text += "  - \(printable(detail))\n" }
        }
        return text
            + (isApp
                ? localized(
                    "\nThis host cannot load what is named above. \"hostapp app update\" installs versions for it if the "
                        + "catalog has them; otherwise their authors must build them.\n")
                : localized(
                    "\nThis host cannot load what is named above. \"hostapp update\" installs versions for it if the "
                        + "catalog has them; otherwise their authors must build them.\n"))
    }

    /// The versions with the reasons, for scripts.
    var json: JSONText {
        .array(found.map { .object($0.bundle.jsonMembers + [("problem", $0.reason.report.content)]) })
    }
}
