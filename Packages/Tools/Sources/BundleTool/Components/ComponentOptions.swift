import Console
import PluginCore
import RemoteCatalog
import Trust

/// The options that say where components come from, and whom an author trusts.
enum ComponentOptions {
    static let directory = Command.Option.value("directory", short: "d", placeholder: "dir", default: ".")
    static let declarations: [Command.Option] = [
        directory,
        .value("catalog", placeholder: "url"),
        .value("root", kind: .json),
        .value("trust", kind: .json),
        .value("key", short: "k", kind: .publicKey),
        .value("team", short: "t", placeholder: "id"),
        .value("channel", placeholder: "name", repeatable: true),
        .value("ca", kind: .file),
    ]

    private static let rootLimit = 1 << 20

    /// Opens the catalog with the root that is given or pinned.
    ///
    /// - Parameter pinned: The file with the pinned root, if there is one.
    /// - Returns: The catalog, and the content of its root.
    static func source(
        _ address: CatalogAddress, pinned: FilePath?, folder: FilePath, in parsed: ParsedCommand
    ) throws -> (source: ComponentSource, root: [UInt8]) {
        func bytes(_ path: FilePath) throws -> [UInt8] {
            try Files.bytes(of: path, limit: rootLimit, remedy: "root")
        }
        let given = try parsed.file("root").map(bytes)
        var saved: [UInt8]?
        if let pinned, pinned.isFile {
            saved = try bytes(pinned)
            if let given, given != saved {
                throw CommandError(.refused, pinned, code: "catalogUntrusted", reason: "rootPinned")
            }
        }
        guard let root = given ?? saved else {
            throw CommandError(.refused, address, code: "catalogUntrusted", reason: "rootMissing")
        }
        let source = try ComponentSource(
            address, root: root, folder: folder, channels: CatalogOptions.channels(in: parsed),
            authorities: parsed.file("ca"))
        return (source, root)
    }

    /// Returns the teams that are trusted already, with those of the options.
    ///
    /// - Throws: ``CommandError`` with `trustMissing`; `AtriumError` with code `trustInvalid`, `trustConflict` or `keyInvalid`.
    static func trust(of project: PluginProject, in parsed: ParsedCommand) throws -> TrustStore {
        var store = TrustStore.empty
        func add(_ path: FilePath) throws {
            let bytes = try Files.bytes(of: path, limit: TrustStore.sizeLimit, remedy: "hostTrust")
            store = store.merged(with: try TrustStore(reading: bytes, named: path.string))
        }
        if project.componentTrust.isFile { try add(project.componentTrust) }
        if let path = parsed.file("trust") { try add(path) }
        switch (parsed.file("key"), parsed.value("team")) {
        case (nil, nil): break
        case (let key?, let team?):
            store = try store.adding(team: team, name: nil, prefixes: [team], key: SigningOptions.publicKey(key))
        case (nil, _?): throw parsed.missing("--key <file>")
        case (_?, nil): throw parsed.missing("--team <id>")
        }
        guard !store.teams.isEmpty else {
            throw CommandError(.refused, "--trust", code: "teamUnknown", reason: "trustMissing")
        }
        return store
    }

    /// Returns the plugin that a word names.
    static func identifier(_ word: String, in parsed: ParsedCommand) throws -> BundleIdentifier {
        guard let identifier = BundleIdentifier(word) else { throw parsed.invalid("<plugin>", word) }
        return identifier
    }
}

/// The `bundletool remove` command.
let removeCommand = ProgramCommand("remove", arguments: [.required("plugin")], options: [ComponentOptions.directory]) {
    parsed, _ in
    let project = try PluginProject.at(parsed.value("directory"))
    try project.requirePackage()
    let identifier = try ComponentOptions.identifier(parsed.argument("plugin") ?? "", in: parsed)
    let lock = try project.componentLock()
    guard let component = lock[identifier] else {
        let added = lock.components.map(\.identifier.text)
        throw CommandError(
            .notFound, identifier, code: "componentUnknown",
            reason: added.isEmpty ? "nothingAdded" : "componentUnknown", ["added": .list(added)])
    }
    var change = ComponentChange(project: project, lock: lock)
    change.lock[identifier] = nil
    change.removed = [component.module]
    change.released = [identifier]
    _ = try change.commit()
    return Answer(
        text: """
            removed  \(component.identity)
            Next: remove "import \(component.module)" from your sources.

            """,
        json: ["removed": identifier, "version": component.version, "module": component.module])
}
