import CatalogFormat
import CatalogPublisher
import Console
import PluginCore

/// The `bundletool revoke` command.
enum RevokeCommand {
    static let declaration = Command(
        "revoke", summary: "Stop offering a version that must not be used anymore.",
        discussion: """
            The version is no longer offered, and is listed as revoked with the reason, which hosts show to their users. \
            Hosts that have it update, go back to the version before, or disable the plugin. Its number is never used for \
            another package. The deltas to the version are removed with it; those from it stay for hosts that leave it.
            """,
        arguments: [
            .required(
                "version", kind: .item(.publishedVersion), help: "The version, such as com.example.app.shop@1.1.0.")
        ],
        options: [
            .value("reason", placeholder: "text", presence: .required, help: "The reason, for users."),
            CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password,
        ],
        examples: [
            .init("bundletool revoke com.example.app.shop@1.0.1 --reason \"It loses orders.\" --to site --keys keys")
        ])

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        let identity = try CatalogOptions.identity("version", in: parsed)
        let reason = parsed.value("reason") ?? ""
        guard reason.utf8.count <= CatalogLimits.reason else {
            throw UsageError(
                .invalidValue, subject: "--reason", expected: ["at most \(CatalogLimits.reason) bytes"],
                command: ["bundletool", "revoke"], value: reason)
        }
        var keys = try CatalogOptions.keys(in: parsed)
        var editor = try CatalogEditor(
            existing: CatalogOptions.folder(in: parsed), waiting: CatalogEditor.patience)
        try editor.revoke(identity, reason: reason)
        try editor.publish(signedBy: &keys)
        return parsed.flag("json")
            ? Reply(document: [
                "identifier": .string(identity.identifier.text), "version": .string("\(identity.version)"),
                "reason": .string(reason),
            ])
            : Reply(text: "revoked  \(identity): \(printable(reason))\n")
    }
}
