import CatalogFormat
import CatalogPublisher
import Console
import PluginCore

/// The `bundletool revoke` command.
enum RevokeCommand: ProgramCommand {
    static let declaration = Command(
        "revoke", arguments: [CatalogOptions.version],
        options: [
            .value("reason", placeholder: "text", presence: .required), CatalogOptions.folder, CatalogOptions.keys,
            CatalogOptions.password,
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
        "unpublish", arguments: [CatalogOptions.version],
        options: [CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password])

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
        "renew", options: [CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let renewed = try CatalogOptions.change(parsed) { editor, keys in try editor.renew(with: keys) }
        let warnings = try CatalogReport(of: parsed.file("to") ?? "").warnings
        return Answer(
            text: "renewed  \(renewed.joined(separator: ", "))\n",
            members: ["renewed": renewed, "warnings": warnings.map(CatalogCommand.json)],
            note: warnings.map { "warning: \(CatalogCommand.warning(of: $0))\n" }.joined())
    }
}
