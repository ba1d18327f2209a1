import CatalogFormat
import CatalogPublisher
import Console
import PluginCore

/// The `bundletool revoke` command.
enum RevokeCommand: ProgramCommand {
    static let declaration = Command(
        "revoke", summary: "Stop offering a version that must not be used anymore.",
        discussion: """
            The version is no longer offered, and is listed as revoked with the reason, which hosts show to their users. \
            Hosts that have it update, go back to the version before, or disable the plugin. Its number is never used for \
            another package. The deltas to the version are removed with it; those from it stay for hosts that leave it.
            """,
        arguments: [CatalogOptions.version],
        options: [
            .value("reason", placeholder: "text", presence: .required, help: "The reason, for users."),
            CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password,
        ],
        examples: [
            .init("bundletool revoke com.example.app.shop@1.0.1 --reason \"It loses orders.\" --to site --keys keys")
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let identity = try CatalogOptions.identity(in: parsed)
        let reason = parsed.value("reason") ?? ""
        guard reason.utf8.count <= CatalogLimits.reason else {
            throw parsed.invalid("--reason", reason, ["at most \(CatalogLimits.reason) bytes"])
        }
        try CatalogOptions.change(parsed) { editor, _ in try editor.revoke(identity, reason: reason) }
        return Answer(
            text: "revoked  \(identity): \(printable(reason))\n",
            members: ["identifier": identity.identifier, "version": identity.version, "reason": reason])
    }
}

/// The `bundletool unpublish` command.
enum UnpublishCommand: ProgramCommand {
    static let declaration = Command(
        "unpublish", summary: "Remove a version from a catalog without revoking it.",
        discussion: """
            Hosts that have the version keep it. Use "bundletool revoke" for a version that must not be used anymore. \
            The deltas to the version are removed with it; those from it stay for hosts that leave it. The files stay in the \
            folder for hosts that are downloading them.
            """,
        arguments: [CatalogOptions.version],
        options: [CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password],
        examples: [.init("bundletool unpublish com.example.app.shop@2.0.0-beta.1 --to site --keys keys")])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let identity = try CatalogOptions.identity(in: parsed)
        try CatalogOptions.change(parsed) { editor, _ in try editor.unpublish(identity) }
        return Answer(
            text: "unpublished  \(identity)\n",
            members: ["identifier": identity.identifier, "version": identity.version])
    }
}

/// The `bundletool renew` command.
enum RenewCommand: ProgramCommand {
    static let declaration = Command(
        "renew", summary: "Sign a catalog again before its roles expire; run it at least daily.",
        discussion: """
            Always signs a new timestamp, which is valid for a day, and a new snapshot after half of its life. Other roles \
            are signed again in the last \(RoleExpiry.warningDays) days of their lives, if their keys are in the folder of \
            --keys. Warnings for roles that expire soon are printed on standard error.
            """,
        options: [CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password],
        examples: [
            .init("0 */6 * * * bundletool renew --to site --keys online --password-file password", "In a crontab:")
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let renewed = try CatalogOptions.change(parsed) { editor, keys in try editor.renew(with: keys) }
        let warnings = try CatalogReport(of: parsed.file("to") ?? "").warnings
        return Answer(
            text: "renewed  \(renewed.joined(separator: ", "))\n",
            members: ["renewed": renewed, "warnings": warnings.map(CatalogCommand.json)],
            note: warnings.map { "warning: \(CatalogCommand.warning(of: $0))\n" }.joined())
    }
}
