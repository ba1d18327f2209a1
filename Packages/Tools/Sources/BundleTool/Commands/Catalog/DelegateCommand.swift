import CatalogPublisher
import Console
import PluginCore
import TUFMetadata

/// The `bundletool delegate` command.
enum DelegateCommand {
    static let declaration = Command(
        "delegate", summary: "Give the identifiers below a prefix to a team's own key.",
        discussion: """
            Afterwards only the team's key can publish bundles whose identifiers are the prefix or begin with it and a \
            dot, and it can publish nothing else: a stolen key reaches no other team's bundles. A longer \
            prefix has precedence over a shorter one. Running the command again for the same prefix replaces the team's keys.

            The key of targets signs the delegation, and the team's key its first metadata. If the team's secret key is \
            not in the folder of --keys, write a draft with --export, let the team sign it with "bundletool sign-metadata", \
            and run the same command with --import.
            """,
        arguments: [.required("prefix", help: "The prefix, such as com.acme.")],
        options: [
            .value(
                "key", short: "k", placeholder: "file", repeatable: true, presence: .required,
                kind: .file(ending: ".pub"), help: "A public key of the team, created by \"bundletool keygen\"."),
            .value("threshold", placeholder: "n", default: "1", help: "The number of the team's keys that must sign."),
            CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password, CatalogOptions.exported,
            CatalogOptions.imported,
        ],
        examples: [
            .init("bundletool delegate com.acme --key acme.pub --to site --keys keys --export acme.json"),
            .init("bundletool sign-metadata acme.json --keys acme", "The team signs:"),
            .init("bundletool delegate com.acme --key acme.pub --to site --keys keys --import acme.json"),
        ])

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        try CatalogOptions.requireOne(of: "export", "import", in: parsed)
        let prefix = parsed.argument("prefix") ?? ""
        let publicKeys = try parsed.values("key").map { try CatalogKeys.publicKey(in: FilePath($0)) }
        let threshold = try parsed.integer("threshold", in: 1...max(1, publicKeys.count)) ?? 1
        var keys = try CatalogOptions.keys(in: parsed)
        var editor = try CatalogEditor(
            existing: CatalogOptions.folder(in: parsed), waiting: CatalogEditor.patience)
        try editor.delegate(prefix, to: publicKeys, threshold: threshold)
        let exported = CatalogOptions.file("export", in: parsed)
        if let exported {
            try ExportedMetadata.targets(try editor.draft(of: prefix)).write(to: exported)
        } else {
            if let imported = CatalogOptions.file("import", in: parsed) {
                guard case .targets(let signed) = try ExportedMetadata(imported) else {
                    throw PublisherError.importInvalid(imported, "it is a root")
                }
                try editor.use(signed, of: prefix, from: imported)
            }
            try editor.publish(signedBy: &keys)
        }
        if parsed.flag("json") {
            return Reply(document: [
                "prefix": .string(prefix), "keys": .strings(publicKeys.map(\.id)), "threshold": .integer(threshold),
                "exported": .string(orNull: exported?.string),
            ])
        }
        if let exported {
            return Reply(
                text: """
                    exported  \(printable(exported.string))
                    The team signs it with "bundletool sign-metadata"; then run this command again with --import.

                    """)
        }
        return Reply(text: "delegated  \(prefix) to \(publicKeys.map(\.id).joined(separator: ", "))\n")
    }
}
