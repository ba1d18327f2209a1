import CatalogPublisher
import Console
import PluginCore
import TUFMetadata

/// The `bundletool rotate-key` command.
enum RotateKeyCommand: ProgramCommand {
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

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        for (option, other) in [("export", "import"), ("key", "replace"), ("import", "key"), ("import", "replace")] {
            try parsed.requireOne(of: option, other)
        }
        let (role, exported) = (parsed.argument("role") ?? "", parsed.file("export"))
        let (old, new, files) = try CatalogOptions.change(parsed) { editor, keys in
            let old = try editor.keys(of: role).ids
            if let imported = parsed.file("import") {
                guard let root = try ExportedMetadata(imported).metadata as? SignedMetadata<Root> else {
                    throw CommandError.importInvalid(imported, "it is not a root")
                }
                try editor.use(root)
            } else {
                let (named, threshold) = try CatalogOptions.publicKeys(in: parsed)
                if named.isEmpty {
                    guard threshold == nil else { throw parsed.missing("--key <file>", adding: "--key <file>") }
                    try editor.rotateKey(of: role, replacing: parsed.value("replace"), keys: &keys)
                } else {
                    try editor.setKeys(named, threshold: threshold ?? 1, of: role)
                }
            }
            if let exported {
                guard editor.hasNewRoot else {
                    throw CommandError.exportInvalid("the keys of \"\(role)\" are not in the root")
                }
                try ExportedMetadata(try editor.rootDraft()).write(to: exported)
            }
            return (old, try editor.keys(of: role).ids, keys)
        }
        var text = exported.map { "exported  \(printable($0.string))\n" } ?? "rotated  \(role)\n"
        var table = Table(["KEY", "STATE", "FILE"])
        for id in old where !new.contains(id) { table.add([id, "replaced", files.file(of: id)?.string ?? ""]) }
        for id in new { table.add([id, old.contains(id) ? "unchanged" : "new", files.file(of: id)?.string ?? ""]) }
        text += table.rendered(for: terminal)
        return Answer(
            text: text,
            members: ["role": role, "oldKeys": old, "newKeys": new, "exported": exported])
    }
}

/// The `bundletool delegate` command.
enum DelegateCommand: ProgramCommand {
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

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        try parsed.requireOne(of: "export", "import")
        let prefix = parsed.argument("prefix") ?? ""
        let (publicKeys, given) = try CatalogOptions.publicKeys(in: parsed)
        let threshold = given ?? 1
        let exported = parsed.file("export")
        try CatalogOptions.change(parsed) { editor, _ in
            try editor.delegate(prefix, to: publicKeys, threshold: threshold)
            if let exported {
                try ExportedMetadata(try editor.draft(of: prefix)).write(to: exported)
            } else if let imported = parsed.file("import") {
                guard let signed = try ExportedMetadata(imported).metadata as? SignedMetadata<Targets> else {
                    throw CommandError.importInvalid(imported, "it is a root")
                }
                try editor.use(signed, of: prefix, from: imported)
            }
        }
        let text =
            exported.map {
                """
                exported  \(printable($0.string))
                The team signs it with "bundletool sign-metadata"; then run this command again with --import.

                """
            } ?? "delegated  \(prefix) to \(publicKeys.map(\.id).joined(separator: ", "))\n"
        return Answer(
            text: text,
            members: [
                "prefix": prefix, "keys": publicKeys.map(\.id), "threshold": threshold, "exported": exported,
            ])
    }
}

/// The `bundletool sign-metadata` command.
enum SignMetadataCommand: ProgramCommand {
    static let declaration = Command(
        "sign-metadata", summary: "Sign metadata of a catalog that another command has exported.",
        discussion: """
            Adds a signature by each key in the folder of --keys, or by those that --key names. Several owners sign one after \
            another, or each signs a copy, and --merge adds the signatures of the copies.
            """,
        arguments: [.required("file", kind: .file(ending: ".json"), help: "The file that --export has written.")],
        options: [
            .value("keys", placeholder: "dir", kind: .folder, help: "The folder with the keys that sign."),
            CatalogOptions.password,
            .value(
                "key", short: "k", placeholder: "id", repeatable: true,
                help: "The beginning of the identifier of a key in that folder; by default all sign."),
            .value(
                "merge", placeholder: "file", repeatable: true, kind: .file(ending: ".json"),
                help: "A copy that was signed elsewhere."),
        ],
        examples: [
            .init("bundletool sign-metadata root.json --keys owner"),
            .init("bundletool sign-metadata root.json --merge root-ada.json --merge root-bob.json"),
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        guard parsed.value("keys") != nil || !parsed.values("merge").isEmpty else {
            throw parsed.missing("--keys <dir>", adding: "--keys <dir>")
        }
        let file = parsed.file(argument: "file")
        var metadata = try ExportedMetadata(file)
        for copy in parsed.files("merge") {
            try metadata.add(signaturesOf: try ExportedMetadata(copy), from: copy)
        }
        if parsed.value("keys") != nil {
            var keys = try CatalogOptions.keys(in: parsed)
            let named = parsed.values("key")
            let signers = keys.ids.filter { id in named.isEmpty || named.contains { id.hasPrefix($0) } }.sorted()
            guard !signers.isEmpty else {
                throw CommandError.keysMissing(role: file.lastComponent, keys: named, needed: 1, keys.folder)
            }
            try metadata.sign(by: try keys.keys(signers), of: file)
        }
        try metadata.write(to: file)
        let all = metadata.metadata.signatures.map(\.keyID)
        return Answer(
            text: "signed  \(printable(file.string)), now by \(all.joined(separator: ", "))\n",
            members: ["file": file, "signers": all])
    }
}
