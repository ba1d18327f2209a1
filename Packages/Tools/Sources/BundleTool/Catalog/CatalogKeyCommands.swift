import CatalogPublisher
import Console
import PluginCore
import TUFMetadata

/// The `bundletool rotate-key` command.
let rotateKeyCommand = ProgramCommand(
    "rotate-key",
    arguments: [.required("role", kind: .words(["root", "targets", "snapshot", "timestamp", "packages"]))],
    options: CatalogOptions.editing + [
        .value("replace", placeholder: "id"),
        .value("key", short: "k", repeatable: true, kind: .publicKey),
        .value("threshold", placeholder: "n"),
    ] + CatalogOptions.exchange
) { parsed, terminal in
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
                guard threshold == nil else { throw parsed.missing("--key <file>") }
                try editor.rotateKey(of: role, replacing: parsed.value("replace"), keys: &keys)
            } else {
                try editor.setKeys(named, threshold: threshold ?? 1, of: role)
            }
        }
        if let exported {
            guard editor.hasNewRoot else {
                throw CommandError.exportInvalid("the keys of \"\(role)\" are not in the root")
            }
            try ExportedMetadata(editor.rootDraft()).write(to: exported)
        }
        return (old, try editor.keys(of: role).ids, keys)
    }
    let text = exported.map { "exported  \(printable($0))\n" } ?? "rotated  \(role)\n"
    var table = Table(["KEY", "STATE", "FILE"])
    for id in old where !new.contains(id) { table.add([id, "replaced", files.file(of: id) ?? ""]) }
    for id in new { table.add([id, old.contains(id) ? "unchanged" : "new", files.file(of: id) ?? ""]) }
    return Answer(
        text: text + table.rendered(for: terminal),
        json: ["role": role, "oldKeys": old, "newKeys": new, "exported": exported])
}

/// The `bundletool delegate` command.
let delegateCommand = ProgramCommand(
    "delegate", arguments: [.required("prefix")],
    options: [
        .value("key", short: "k", repeatable: true, presence: .required, kind: .publicKey),
        .value("threshold", placeholder: "n", default: "1"),
    ] + CatalogOptions.editing + CatalogOptions.exchange
) { parsed, _ in
    try parsed.requireOne(of: "export", "import")
    let prefix = parsed.argument("prefix") ?? ""
    let (publicKeys, given) = try CatalogOptions.publicKeys(in: parsed)
    let threshold = given ?? 1
    let exported = parsed.file("export")
    try CatalogOptions.change(parsed) { editor, _ in
        try editor.delegate(prefix, to: publicKeys, threshold: threshold)
        if let exported {
            try ExportedMetadata(editor.draft(of: prefix)).write(to: exported)
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
            exported  \(printable($0))
            The team signs it with "bundletool sign-metadata"; then run this command again with --import.

            """
        } ?? "delegated  \(prefix) to \(publicKeys.map(\.id).joined(separator: ", "))\n"
    return Answer(
        text: text,
        json: ["prefix": prefix, "keys": publicKeys.map(\.id), "threshold": threshold, "exported": exported])
}

/// The `bundletool sign-metadata` command.
let signMetadataCommand = ProgramCommand(
    "sign-metadata", arguments: [.required("file", kind: .json)],
    options: [
        .value("keys", kind: .folder), KeyPassword.option,
        .value("key", short: "k", placeholder: "id", repeatable: true),
        .value("merge", repeatable: true, kind: .json),
    ]
) { parsed, _ in
    guard parsed.value("keys") != nil || !parsed.values("merge").isEmpty else { throw parsed.missing("--keys <dir>") }
    let file = parsed.file(argument: "file")
    var metadata = try ExportedMetadata(file)
    for copy in parsed.files("merge") { try metadata.add(signaturesOf: ExportedMetadata(copy), from: copy) }
    if parsed.value("keys") != nil {
        var keys = try CatalogOptions.keys(in: parsed)
        let named = parsed.values("key")
        let signers = keys.ids.filter { id in named.isEmpty || named.contains { id.hasPrefix($0) } }.sorted()
        guard !signers.isEmpty else {
            throw CommandError.keysMissing(role: file.lastComponent, keys: named, needed: 1, keys.folder)
        }
        try metadata.sign(by: keys.keys(signers), of: file)
    }
    try metadata.write(to: file)
    let all = metadata.metadata.signatures.map(\.keyID)
    return Answer(
        text: "signed  \(printable(file)), now by \(all.joined(separator: ", "))\n",
        json: ["file": file, "signers": all])
}
