import CatalogPublisher
import Console
import PluginCore

/// The `bundletool unpublish` command.
enum UnpublishCommand {
    static let declaration = Command(
        "unpublish", summary: "Remove a version from a catalog without revoking it.",
        discussion: """
            Hosts that have the version keep it. Use "bundletool revoke" for a version that must not be used anymore. \
            The deltas to the version are removed with it; those from it stay for hosts that leave it. The files stay in the \
            folder for hosts that are downloading them.
            """,
        arguments: [
            .required(
                "version", kind: .item(.publishedVersion), help: "The version, such as com.example.app.shop@1.1.0.")
        ],
        options: [CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password],
        examples: [.init("bundletool unpublish com.example.app.shop@2.0.0-beta.1 --to site --keys keys")])

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        let identity = try CatalogOptions.identity("version", in: parsed)
        var keys = try CatalogOptions.keys(in: parsed)
        var editor = try CatalogEditor(
            existing: CatalogOptions.folder(in: parsed), waiting: CatalogEditor.patience)
        try editor.unpublish(identity)
        try editor.publish(signedBy: &keys)
        return parsed.flag("json")
            ? Reply(document: [
                "identifier": .string(identity.identifier.text), "version": .string("\(identity.version)"),
            ])
            : Reply(text: "unpublished  \(identity)\n")
    }
}
