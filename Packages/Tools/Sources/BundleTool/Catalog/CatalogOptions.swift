import BundleFormat
import CatalogFormat
import CatalogPublisher
import Console
import PluginCore
import TUFMetadata

/// The options of the commands that change a catalog.
enum CatalogOptions {
    /// The options of all of them.
    static let editing: [Command.Option] = [
        .value("to", placeholder: "repo", presence: .required, kind: .folder),
        .value("keys", presence: .required, kind: .folder), KeyPassword.option,
    ]
    /// The options for keys of others.
    static let exchange: [Command.Option] = [
        .value("export", kind: .file), .value("import", kind: .file),
    ]

    /// The argument that names a published version.
    static let version = Command.Argument.required("version", kind: .item(.publishedVersion))

    /// Changes the catalog of the option `--to`, which must exist, with the keys of the option `--keys`, and publishes the change.
    ///
    /// With the option `--export`, the body writes what others must sign, and nothing is published.
    static func change<Result>(
        _ parsed: ParsedCommand, _ body: (inout CatalogEditor, inout CatalogKeys) throws -> Result
    ) throws -> Result {
        var keys = try keys(in: parsed)
        var editor = try CatalogEditor(existing: parsed.file("to") ?? "", isExclusive: true)
        let result = try body(&editor, &keys)
        if parsed.value("export") == nil { try editor.publish(signedBy: &keys) }
        return result
    }

    /// Reads the public keys of the option `--key`, and how many of them must sign.
    static func publicKeys(in parsed: ParsedCommand) throws -> (keys: [PublicKey], threshold: Int?) {
        let keys = try parsed.files("key").map(CatalogKeys.publicKey(in:))
        return (keys, try parsed.integer("threshold", in: 1...max(1, keys.count)))
    }

    /// Returns the channels of the option `--channel`.
    static func channels(in parsed: ParsedCommand) throws -> [String] {
        for channel in parsed.values("channel") where !CatalogEntry.isChannel(channel) {
            throw parsed.invalid("--channel", channel)
        }
        return parsed.values("channel")
    }

    /// Lists the keys of the option `--keys`.
    static func keys(in parsed: ParsedCommand) throws -> CatalogKeys {
        try CatalogKeys(folder: parsed.file("keys") ?? "") { folder, isNew in
            if let file = parsed.file("password-file") { return try KeyPassword.first(lineOf: file) }
            guard isNew else { return try KeyPassword.existing(of: folder) }
            return try KeyPassword.new(for: folder, parsed, orCanceled: CommandError.passwordRefused(folder))
        }
    }

    /// Returns the identity that the argument ``version`` names.
    static func identity(in parsed: ParsedCommand) throws -> BundleIdentity {
        let text = parsed.argument("version") ?? ""
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let identifier = BundleIdentifier(parts[0]), let version = SemanticVersion(parts[1])
        else { throw parsed.invalid("<version>", text) }
        return BundleIdentity(identifier: identifier, version: version)
    }
}

extension Command.Item {
    /// A version in the catalog that `--to` names.
    static let publishedVersion = Command.Item("publishedVersion")
}

/// The versions in the folder of a catalog, for completion.
///
/// They are known by the names of files alone, so nothing is verified.
enum PublishedItems {
    /// Returns the items of a kind.
    static func list(_ item: Command.Item, _ context: CompletionContext) -> [Completion.Candidate] {
        guard item == .publishedVersion, let folder = context.value("to") else { return [] }
        let names = (try? Files.names(below: FilePath(folder).appending("targets"))) ?? []
        let identities = names.compactMap { path -> BundleIdentity? in
            // A digest and a dot come before the name of the file.
            guard let name = path.split(separator: "/").last, let dot = name.firstIndex(of: ".") else { return nil }
            return PackageFile.identity(named: String(name[name.index(after: dot)...]))
        }
        return Set(identities).map(\.description).sorted().map { .init($0) }
    }
}
