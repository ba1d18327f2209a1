import CatalogPublisher
import Console
import PluginCore

/// The `bundletool sign-metadata` command.
enum SignMetadataCommand {
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

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        guard parsed.value("keys") != nil || !parsed.values("merge").isEmpty else {
            throw parsed.missing("--keys <dir>", adding: "--keys <dir>")
        }
        let file = FilePath(parsed.argument("file") ?? "")
        var metadata = try ExportedMetadata(file)
        for copy in parsed.values("merge").map({ FilePath($0) }) {
            try metadata.add(signaturesOf: try ExportedMetadata(copy), from: copy)
        }
        var signers: [String] = []
        if parsed.value("keys") != nil {
            var keys = try CatalogOptions.keys(in: parsed)
            let named = parsed.values("key")
            signers = keys.ids.filter { id in named.isEmpty || named.contains { id.hasPrefix($0) } }.sorted()
            guard !signers.isEmpty else {
                throw PublisherError.keysMissing(role: file.lastComponent, keys: named, needed: 1, keys.folder)
            }
            try metadata.sign(by: try keys.keys(signers), to: file)
        } else {
            try metadata.write(to: file)
        }
        return parsed.flag("json")
            ? Reply(document: ["file": .string(file.string), "signers": .strings(metadata.signers)])
            : Reply(text: "signed  \(printable(file.string)), now by \(metadata.signers.joined(separator: ", "))\n")
    }
}
