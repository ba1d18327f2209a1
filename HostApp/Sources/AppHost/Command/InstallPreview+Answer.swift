import Console
import PluginCore
import PluginRuntime
import Registry

/// The option that only shows a change.
let dryRunOption = Command.Option.flag("dry-run", help: "Show what would change, and change nothing.")

extension InstallPreview {
    /// Returns the answer of a command with `--dry-run`.
    ///
    /// - Parameter revoked: The installed versions that an update would block.
    func answer(revoked: [(revoked: BundleIdentity, reason: String)] = []) -> Answer {
        var lines = revoked.map {
            localized("Would block \($0.revoked), which the catalog has revoked: \(printable($0.reason)).\n")
        }
        lines += changes.map(\.text)
        lines += repairs.map { localized("Would reinstall \($0.identity).\n") }
        lines += unstaged.map { localized("Would no longer stage \($0.identity).\n") }
        lines += skippedVersions.map {
            localized("\($0.identity) is skipped: \(printable($0.error.report.message)).\n")
        }
        let size = changes.compactMap(\.downloadSize).reduce(0, +)
        if size > 0 { lines.append(localized("\(byteCount(Int(size))) would be downloaded, or less by deltas.\n")) }
        if isEmpty, revoked.isEmpty { lines.append(localized("Nothing would change.\n")) }
        return Answer(
            text: lines.joined(),
            json: [
                "dryRun": true, "steps": .array(changes.map(\.json)), "downloadSize": .integer(Int(size)),
                "repairs": .strings(repairs.map(\.identity.description)),
                "unstaged": .strings(unstaged.map(\.identity.description)),
                "revoked": .strings(revoked.map(\.revoked.description)),
                "skipped": .array(
                    skippedVersions.map {
                        [
                            "identifier": .string($0.identity.identifier.text),
                            "version": .string($0.identity.version.description), "problem": $0.error.report.content,
                        ]
                    }),
            ])
    }
}

extension InstallPreview.Change {
    /// A line for the change, and one for each new permission.
    fileprivate var text: String {
        let size = downloadSize.map { localized(" (\(byteCount(Int($0))) to download)") } ?? ""
        let line =
            switch (step.from, step.to) {
            case (let from?, let to?): localized("Would update \(step.identifier) from \(from) to \(to)\(size).\n")
            case (nil, let to?): localized("Would install \(step.identifier)@\(to)\(size).\n")
            case (_, nil): localized("Would remove \(step.identifier).\n")
            }
        let subject = printable(name ?? step.identifier.text)
        return line
            + newPermissions.map { localized("  Permission \($0.rawValue): \(subject) \($0.words).\n") }.joined()
    }

    fileprivate var json: JSONText {
        [
            "identifier": .string(step.identifier.text), "from": .string(orNull: step.from?.description),
            "to": .string(orNull: step.to?.description),
            "downloadSize": downloadSize.map { .integer(Int($0)) } ?? .null,
            "permissions": .strings(newPermissions.map(\.rawValue)),
        ]
    }
}
