import CatalogFormat
import CatalogPublisher
import Console
import PluginCore
import PluginLint

/// The `bundletool publish` command.
enum PublishCommand: ProgramCommand {
    static let declaration = Command(
        "publish", summary: "Publish packages in a catalog, and create the catalog with the first ones.",
        discussion: """
            A catalog is a repository of The Update Framework: static files that any web server can serve. Each package \
            is checked as a host would check it; whether its signer is trusted is for each host to decide. All packages \
            are published at once: hosts see the new catalog or the old one. Publishing a version again with the \
            same content changes its channel or rollout; other content is refused.

            The first publication creates keys for the roles root, targets, snapshot, timestamp and packages in the folder of \
            --keys, encrypted with one password, and prints where the first root is. Hosts pin it. The key of root, and \
            that of targets unless teams change often, belong offline: move their files elsewhere. Later publications need \
            packages, snapshot and timestamp.

            With each new version, deltas are published: the differences from the versions before it. A host that has one \
            of these fetches a few percent of the package. A delta that would be longer than half of the package is left out.

            A new version that lacks routes, actions, services, extension points or exported names of the last release is \
            refused unless it has a new major version, because plugins that work with that release would break. \
            "bundletool lint --against" finds this earlier, and more.

            A package with the libraries of several platforms is published with a part for each of them, and with deltas to the \
            parts. A host fetches the part for its own platform.

            The Interface of a plugin, which "bundletool pack --interface" writes beside the package, is published with it: sources \
            that other teams fetch with "bundletool add" to call the plugin. Hosts never fetch it. The archive of an SDK is \
            published in the same way, signed by the owner of the catalog.

            The packages of a team (see "bundletool delegate") are signed by its own key. A team that has only that key \
            uses --export on a copy of the catalog, and its owner --import.
            """,
        arguments: [
            .repeated(
                "package", kind: .file(ending: ".zip"),
                help: "A package, a folder of packages, or the archive of an SDK.")
        ],
        options: [
            CatalogOptions.folder, CatalogOptions.keys, CatalogOptions.password,
            .value(
                "channel", placeholder: "name", default: CatalogEntry.stableChannel,
                kind: .words(["stable", "beta"]), help: "The channel of these packages, such as beta."),
            .value(
                "rollout", placeholder: "percent", default: "100",
                help: "The share of installations to which they are offered."),
            .value(
                "bins", placeholder: "n",
                help:
                    "The number of metadata files for packages without a team: a power of two up to 4096, 16 in a new "
                    + "catalog. It can only be raised, for which the key of targets is needed."),
            .value(
                "deltas", placeholder: "n", default: "\(CatalogEditor.usualDeltas)",
                help:
                    "The number of earlier versions of each new version from which a delta is made; 0 for none. A host that "
                    + "has one of them fetches only the difference."),
            CatalogOptions.exported, CatalogOptions.imported, ConverterOption.declaration,
            LintCommand.allow("Publish versions even if \"bundletool lint\" finds this code, such as route-removed."),
        ],
        examples: [
            .init("bundletool publish build/catalog --to site --keys keys", "Create a catalog, or add what is new:"),
            .init(
                "bundletool publish com.example.app.shop-2.0.0.zip --to site --keys keys --channel beta --rollout 10"),
            .init(
                "bundletool publish com.acme.app.map-1.0.0.zip --to copy --keys acme --export acme.zip",
                "As a team, leave the packages for the owner of the catalog:"),
            .init("bundletool publish --import acme.zip --to site --keys keys", "As the owner, publish them:"),
        ])

    /// A package with the effect of adding it.
    private struct Change {
        let addition: CatalogEditor.Addition
        let entry: CatalogEntry
        let skipped: [CatalogEditor.SkippedDelta]
        var identity: BundleIdentity { entry.manifest.identity }
    }

    /// The effect of the command.
    private struct Outcome {
        let folder: FilePath
        var created: [(role: String, key: String)] = []
        var changes: [Change] = []
        var components: [(json: JSONText, text: String)] = []
        var exported: (role: String, file: FilePath)?
        var imported: String?
        var isPublished = false
    }

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let rollout = try parsed.integer("rollout", in: CatalogEntry.rollouts) ?? 100
        let bins = try parsed.integer("bins", in: CatalogEditor.binCounts)
        if let bins, bins.nonzeroBitCount != 1 {
            throw parsed.invalid("--bins", "\(bins)", ["a power of two up to 4096"])
        }
        let deltas = try parsed.integer("deltas", in: CatalogEditor.deltaCounts) ?? CatalogEditor.usualDeltas
        let channel = try CatalogOptions.channels(in: parsed).last ?? CatalogEntry.stableChannel
        try parsed.requireOne(of: "export", "import")
        let converters = try ConverterOption.names(in: parsed)
        let silences = try LintCommand.silences(in: parsed, of: nil)
        let (exported, imported) = (parsed.file("export"), parsed.file("import"))
        guard !parsed.arguments("package").isEmpty || bins != nil || imported != nil else {
            throw parsed.missing("<package>")
        }
        let files = try PublishedFiles(parsed.arguments("package").map { FilePath($0) })
        let folder: FilePath = parsed.file("to") ?? ""
        // An export changes nothing here.
        var editor =
            exported == nil ? try CatalogEditor(folder: folder, isExclusive: true) : try CatalogEditor(existing: folder)
        if imported != nil, editor.isNew { throw CommandError.noCatalog(folder) }
        var keys = try CatalogOptions.keys(in: parsed)
        // A mistake in a package must not leave new keys behind.
        let checked = try withProgress { bar in
            try files.packages.enumerated().map { index, path in
                defer { bar.update(done: index + 1, total: files.packages.count, label: "checking packages") }
                return try CheckedPackage(path, channel: channel, rollout: rollout, converters: converters)
            }
        }
        let interfaces = try files.interfaces.map { try InterfaceArchive(opening: $0) }
        let sdks = try files.sdks.map { try SDKArchive($0) }
        var outcome = Outcome(folder: folder)
        if editor.isNew {
            outcome.created = try editor.create(bins: bins ?? 16, keys: &keys)
        } else if let bins {
            try editor.divide(into: bins)
        }
        try Files.withTemporaryFolder { temporary in
            outcome.changes = try add(checked, to: &editor, deltas: deltas, allowing: silences, in: temporary)
            outcome.components = try add(interfaces, sdks, to: &editor)
            if let exported {
                outcome.exported = (try TeamExport.write(editor, to: exported, signedBy: &keys), exported)
                return
            }
            if let imported {
                outcome.imported = try TeamExport.read(imported, into: &editor, in: temporary, converters: converters)
            }
            outcome.isPublished = imported != nil || editor.hasChanges
            guard outcome.isPublished else { return }
            try withProgress { bar in
                bar.update(done: 0, total: nil, label: "signing and writing")
                try editor.publish(signedBy: &keys)
            }
        }
        return answer(outcome, keys, terminal)
    }

    private static func withProgress<Result>(_ body: (ProgressBar) throws -> Result) rethrows -> Result {
        let bar = ProgressBar(unit: .items)
        defer { bar.finish() }
        return try body(bar)
    }

    /// Adds packages with deltas to them, older versions first, so that there are deltas between those of one publication, too.
    private static func add(
        _ packages: [CheckedPackage], to editor: inout CatalogEditor, deltas count: Int,
        allowing silences: LintSilences,
        in folder: FilePath
    ) throws -> [Change] {
        var changes: [Int: Change] = [:]
        let sorted = packages.enumerated().sorted {
            $0.element.entry.manifest.identity.version < $1.element.entry.manifest.identity.version
        }
        try withProgress { bar in
            for (index, element) in sorted {
                var package = element
                try ContractCheck.check(package, against: editor, allowing: silences)
                bar.update(done: changes.count, total: packages.count, label: "making parts and deltas")
                try package.makeParts(in: folder)
                let skipped = try editor.makeDeltas(to: &package, from: count, in: folder)
                changes[index] = Change(addition: try editor.add(package), entry: package.entry, skipped: skipped)
            }
        }
        return packages.indices.compactMap { changes[$0] }
    }

    /// Adds Interfaces and SDKs, and returns the effect as JSON and as text.
    private static func add(
        _ interfaces: [InterfaceArchive], _ sdks: [SDKArchive], to editor: inout CatalogEditor
    ) throws -> [(json: JSONText, text: String)] {
        let added: [(json: JSONText, text: String)] = try interfaces.map { interface in
            let (identity, change) = (interface.identity, try editor.add(interface).rawValue)
            let json: JSONText = [
                "kind": "interface", "identifier": "\(identity.identifier)", "version": "\(identity.version)",
                "module": .string(interface.module), "change": .string(change),
            ]
            return (json, "\(change)  the Interface \(interface.module) of \(identity)\n")
        }
        return try added
            + sdks.map { sdk in
                let change = try editor.add(sdk.description, from: sdk.path).rawValue
                let (version, platform) = (sdk.description.version, sdk.description.platform)
                return (
                    ["kind": "sdk", "version": "\(version)", "platform": .string(platform), "change": .string(change)],
                    "\(change)  the SDK \(version) for \(platform)\n"
                )
            }
    }

    private static func answer(_ outcome: Outcome, _ keys: CatalogKeys, _ terminal: Terminal) -> Answer {
        let (changes, root) = (outcome.changes, outcome.folder.appending("metadata/1.root.json").string)
        let document: JSONText = [
            "catalog": .string(outcome.folder.string), "published": .bool(outcome.isPublished),
            "root": .string(root), "packages": .array(changes.map(json)),
            "components": .array(outcome.components.map(\.json)),
            "createdKeys": .array(outcome.created.map { ["role": .string($0.role), "key": .string($0.key)] }),
            "exportedRole": .string(orNull: outcome.exported?.role), "importedRole": .string(orNull: outcome.imported),
        ]
        var text = ""
        if changes.count <= 100 {
            text += changes.map(lines).joined()
        } else {
            let groups = Dictionary(grouping: changes, by: \.addition.rawValue).sorted { $0.key < $1.key }
            text += groups.map { "\($0.key)  \($0.value.count) packages\n" }.joined()
        }
        text += outcome.components.map(\.text).joined()
        for change in changes {
            for delta in change.skipped {
                let part = delta.platform.map { " for \($0)" } ?? ""
                text += "no delta from \(delta.base) to \(change.identity)\(part): \(printable(delta.problem))\n"
            }
        }
        if let (role, file) = outcome.exported {
            text += "exported  \(printable(file.string)), signed for the role \"\(role)\"\n"
            return Answer(text: text, json: document)
        }
        if let imported = outcome.imported { text += "imported  the role \"\(imported)\"\n" }
        if !outcome.created.isEmpty {
            let rows = outcome.created.map { [$0.role, keys.file(of: $0.key)?.string ?? $0.key] }
            text += Table(["ROLE", "KEY"], rows: rows).rendered(for: terminal)
            text += "The first root, which hosts pin: \(printable(root))\n"
        }
        text += outcome.isPublished ? "published  \(printable(outcome.folder.string))\n" : "nothing has changed\n"
        return Answer(text: text, json: document)
    }

    private static func json(of change: Change) -> JSONText {
        [
            "identifier": .string(change.identity.identifier.text), "version": .string("\(change.identity.version)"),
            "change": .string(change.addition.rawValue), "deltas": CatalogCommand.json(of: change.entry.deltas),
            "parts": CatalogCommand.json(of: change.entry.parts),
            "skippedDeltas": .array(
                change.skipped.map {
                    [
                        "from": .string("\($0.base)"), "platform": .string(orNull: $0.platform),
                        "problem": .string($0.problem),
                    ]
                }),
        ]
    }

    /// Returns a line for a package, and one for each of its parts.
    private static func lines(about change: Change) -> String {
        let parts = change.entry.parts.map { ("  for \($0.platform) (\(byteCount($0.length)))", $0.deltas) }
        let all = [("\(change.addition.rawValue)  \(change.identity)", change.entry.deltas)] + parts
        return all.map { line, deltas in
            line + (deltas.isEmpty ? "\n" : ", with deltas from \(CatalogCommand.words(for: deltas))\n")
        }.joined()
    }
}
