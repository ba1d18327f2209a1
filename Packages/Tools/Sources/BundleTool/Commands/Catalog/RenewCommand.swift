import CatalogFormat
import CatalogPublisher
import Console
import PluginCore

/// The `bundletool renew` command.
enum RenewCommand {
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

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        var keys = try CatalogOptions.keys(in: parsed)
        let folder = CatalogOptions.folder(in: parsed)
        var editor = try CatalogEditor(existing: folder, waiting: CatalogEditor.patience)
        let renewed = try editor.renew(with: keys)
        try editor.publish(signedBy: &keys)
        let warnings = try CatalogReport(of: folder).warnings
        if parsed.flag("json") {
            return Reply(document: [
                "renewed": .strings(renewed), "warnings": .array(warnings.map { CatalogCommand.json(of: $0) }),
            ])
        }
        return Reply(
            text: "renewed  \(renewed.joined(separator: ", "))\n",
            note: warnings.map { "warning: \(CatalogCommand.warning(of: $0))\n" }.joined())
    }
}
