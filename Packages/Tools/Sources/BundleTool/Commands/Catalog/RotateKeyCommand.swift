import CatalogPublisher
import Console
import PluginCore
import TUFMetadata

/// The `bundletool rotate-key` command.
enum RotateKeyCommand {
    static let declaration = Command(
        "rotate-key", summary: "Replace a key of a role in a catalog.",
        discussion: """
            The role is root, targets, snapshot, timestamp, packages (of all targets without a team), or a team's prefix. \
            Creates a key in the folder of --keys and replaces the role's only key, or that of --replace; with --key, the \
            named public keys become all keys of the role. Hosts follow by themselves.

            The keys of root sign new keys of root, targets, snapshot and timestamp; those of targets sign the others. If \
            the keys of root are in several places, --export writes the new root, each owner signs it with "bundletool \
            sign-metadata", and --import publishes it. A new root key needs both its own signature and those of the old ones.

            The file of the old key is not removed. Remove it when the change is published.
            """,
        arguments: [
            .required(
                "role", kind: .words(["root", "targets", "snapshot", "timestamp", "packages"]), help: "The role.")
        ],
        options: [
            CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password,
            .value(
                "replace", placeholder: "id",
                help: "The beginning of the identifier of the key to replace, if there are several."),
            .value(
                "key", short: "k", placeholder: "file", repeatable: true,
                kind: .file(ending: ".pub"),
                help: "A public key of \"bundletool keygen\" for the role; all that are named become its keys."),
            .value("threshold", placeholder: "n", help: "The number of keys that must sign; only with --key."),
            CatalogOptions.exported, CatalogOptions.imported,
        ],
        examples: [
            .init("bundletool rotate-key timestamp --to site --keys keys"),
            .init(
                "bundletool rotate-key root --key ada.pub --key bob.pub --key eve.pub --threshold 2 --to site --keys keys "
                    + "--export root.json", "Give the root to three owners, two of whom must sign:"),
            .init("bundletool rotate-key root --import root.json --to site --keys keys"),
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Reply {
        for (option, other) in [("export", "import"), ("key", "replace"), ("import", "key"), ("import", "replace")] {
            try CatalogOptions.requireOne(of: option, other, in: parsed)
        }
        let role = parsed.argument("role") ?? ""
        var keys = try CatalogOptions.keys(in: parsed)
        var editor = try CatalogEditor(
            existing: CatalogOptions.folder(in: parsed), waiting: CatalogEditor.patience)
        let old = try editor.keys(of: role).ids
        let (exported, imported) = (
            CatalogOptions.file("export", in: parsed), CatalogOptions.file("import", in: parsed)
        )
        if let imported {
            guard case .root(let root) = try ExportedMetadata(imported) else {
                throw PublisherError.importInvalid(imported, "it is not a root")
            }
            try editor.use(root)
        } else {
            let named = try parsed.values("key").map { try CatalogKeys.publicKey(in: FilePath($0)) }
            let threshold = try parsed.integer("threshold", in: 1...max(1, named.count))
            if named.isEmpty {
                guard threshold == nil else { throw parsed.missing("--key <file>", adding: "--key <file>") }
                _ = try editor.rotateKey(of: role, replacing: parsed.value("replace"), keys: &keys)
            } else {
                try editor.setKeys(named, threshold: threshold ?? 1, of: role)
            }
        }
        if let exported {
            guard editor.hasNewRoot else {
                throw PublisherError.exportInvalid("the keys of \"\(role)\" are not in the root")
            }
            try ExportedMetadata.root(try editor.rootDraft()).write(to: exported)
        } else {
            try editor.publish(signedBy: &keys)
        }
        let new = try editor.keys(of: role).ids
        if parsed.flag("json") {
            return Reply(document: [
                "role": .string(role), "oldKeys": .strings(old), "newKeys": .strings(new),
                "exported": .string(orNull: exported?.string),
            ])
        }
        var text = exported.map { "exported  \(printable($0.string))\n" } ?? "rotated  \(role)\n"
        var table = Table([.init("KEY"), .init("STATE"), .init("FILE")])
        for id in old where !new.contains(id) { table.add([id, "replaced", keys.file(of: id)?.string ?? ""]) }
        for id in new { table.add([id, old.contains(id) ? "unchanged" : "new", keys.file(of: id)?.string ?? ""]) }
        text += table.rendered(for: terminal)
        return Reply(text: text)
    }

}
