import BundleFormat
import CatalogFormat
import CatalogPublisher
import Console
import PluginCore
import PluginLint

/// The `bundletool publish` command.
let publishCommand = ProgramCommand(
    "publish", arguments: [.repeated("package", kind: .package)],
    options: CatalogOptions.editing + [
        .value(
            "channel", placeholder: "name", default: CatalogEntry.stableChannel, kind: .words(["stable", "beta"])),
        .value("rollout", placeholder: "percent", default: "100"), .value("bins", placeholder: "n"),
        .value("deltas", placeholder: "n", default: "\(CatalogEditor.usualDeltas)"),
    ] + CatalogOptions.exchange + [ConverterOption.declaration, LintSilences.option]
) { parsed, terminal in
    let rollout = try parsed.integer("rollout", in: CatalogEntry.rollouts) ?? 100
    let bins = try parsed.integer("bins", in: CatalogEditor.binCounts)
    if let bins, bins.nonzeroBitCount != 1 { throw parsed.invalid("--bins", "\(bins)") }
    let deltas = try parsed.integer("deltas", in: CatalogEditor.deltaCounts) ?? CatalogEditor.usualDeltas
    let channel = try CatalogOptions.channels(in: parsed).last ?? CatalogEntry.stableChannel
    try parsed.requireOne(of: "export", "import")
    let converters = try ConverterOption.names(in: parsed)
    let silences = try LintSilences(in: parsed, of: nil)
    let (exported, imported) = (parsed.file("export"), parsed.file("import"))
    guard !parsed.arguments("package").isEmpty || bins != nil || imported != nil else {
        throw parsed.missing("<package>")
    }
    let files = try PublishedFiles(parsed.arguments("package").map { FilePath($0) })
    let folder = parsed.file("to") ?? ""
    // An export changes nothing here.
    var editor = try exported == nil ? CatalogEditor(folder: folder, isExclusive: true) : .init(existing: folder)
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
    var created: [(role: String, key: String)] = []
    if editor.isNew {
        created = try editor.create(bins: bins ?? 16, keys: &keys)
    } else if let bins {
        try editor.divide(into: bins)
    }
    let (changes, components, exportedRole, importedRole, isPublished) = try Files.withTemporaryFolder { temporary in
        let changes = try add(checked, to: &editor, deltas: deltas, allowing: silences, in: temporary)
        let components = try add(interfaces, sdks, to: &editor)
        let exportedRole = try exported.map { try TeamExport.write(editor, to: $0, signedBy: &keys) }
        let importedRole = try imported.map {
            try TeamExport.read($0, into: &editor, in: temporary, converters: converters)
        }
        let isPublished = exported == nil && (imported != nil || editor.hasChanges)
        if isPublished {
            try withProgress { bar in
                bar.update(done: 0, total: nil, label: "signing and writing")
                try editor.publish(signedBy: &keys)
            }
        }
        return (changes, components, exportedRole, importedRole, isPublished)
    }
    let root = folder.appending("metadata/1.root.json")
    var text = lines(about: changes) + components.map(\.text).joined()
    text += changes.flatMap(\.skippedLines).joined()
    if let exported, let exportedRole {
        text += "exported  \(printable(exported)), signed for the role \"\(exportedRole)\"\n"
    } else {
        if let importedRole { text += "imported  the role \"\(importedRole)\"\n" }
        if !created.isEmpty {
            let rows = created.map { [$0.role, keys.file(of: $0.key)?.string ?? $0.key] }
            text += Table(["ROLE", "KEY"], rows: rows).rendered(for: terminal)
            text += "The first root, which hosts pin: \(printable(root))\n"
        }
        text += isPublished ? "published  \(printable(folder))\n" : "nothing has changed\n"
    }
    return Answer(
        text: text,
        json: [
            "catalog": folder, "published": isPublished, "root": root, "packages": changes.map(\.json),
            "components": components.map(\.json),
            "createdKeys": created.map { JSONText(["role": $0.role, "key": $0.key]) },
            "exportedRole": exportedRole, "importedRole": importedRole,
        ])
}

/// A package with the effect of adding it.
private struct Change {
    let addition: CatalogEditor.Addition
    let entry: CatalogEntry
    let skipped: [CatalogEditor.SkippedDelta]
    private var identity: BundleIdentity { entry.manifest.identity }

    var json: JSONText {
        let skipped = skipped.map { JSONText(["from": $0.base, "platform": $0.platform, "problem": $0.problem]) }
        return [
            "identifier": identity.identifier, "version": identity.version, "change": addition.rawValue,
            "deltas": entry.deltas.map(\.json), "parts": entry.parts.map(\.json), "hosts": entry.builds.map(\.json),
            "skippedDeltas": skipped,
        ]
    }

    /// A line for the package, and one for each of its parts, or for the hosts that it serves.
    var lines: String {
        var parts = entry.parts.map { ("  for \(entry.hosts(of: $0).words) (\(byteCount($0.length)))", $0.deltas) }
        if parts.isEmpty { parts = entry.builds.map { ("  for \($0.words)", []) } }
        let all = [("\(addition.rawValue)  \(identity)", entry.deltas)] + parts
        return all.map { line, deltas in
            line + (deltas.isEmpty ? "\n" : ", with deltas from \(words(for: deltas))\n")
        }.joined()
    }

    var skippedLines: [String] {
        skipped.map { delta in
            let part = delta.platform.map { " for \(LibraryBuild($0).words)" } ?? ""
            return "no delta from \(delta.base) to \(identity)\(part): \(printable(delta.problem))\n"
        }
    }
}

private func withProgress<Result>(_ body: (ProgressBar) throws -> Result) rethrows -> Result {
    let bar = ProgressBar(unit: .items)
    defer { bar.finish() }
    return try body(bar)
}

/// Adds packages with deltas to them, older versions first, so that there are deltas between those of one publication, too.
private func add(
    _ packages: [CheckedPackage], to editor: inout CatalogEditor, deltas count: Int,
    allowing silences: LintSilences, in folder: FilePath
) throws -> [Change] {
    func version(_ package: CheckedPackage) -> SemanticVersion { package.entry.manifest.identity.version }
    var changes: [Int: Change] = [:]
    try withProgress { bar in
        for index in packages.indices.sorted(by: { version(packages[$0]) < version(packages[$1]) }) {
            var package = packages[index]
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
private func add(
    _ interfaces: [InterfaceArchive], _ sdks: [SDKArchive], to editor: inout CatalogEditor
) throws -> [(json: JSONText, text: String)] {
    let added = try interfaces.map { interface in
        let (identity, change) = (interface.identity, try editor.add(interface).rawValue)
        let json = JSONText([
            "kind": interface.isLibrary ? "library" : "interface", "identifier": identity.identifier,
            "version": identity.version,
            "module": interface.module, "change": change,
        ])
        return (json: json, text: "\(change)  \(interface.name) of \(identity)\n")
    }
    return try added
        + sdks.map { sdk in
            let change = try editor.add(sdk.description, from: sdk.path).rawValue
            let (version, platform) = (sdk.description.version, sdk.description.platform)
            return (
                ["kind": "sdk", "version": version, "platform": platform, "change": change],
                "\(change)  the SDK \(version) for \(platform)\n"
            )
        }
}

private func lines(about changes: [Change]) -> String {
    if changes.count <= 100 { return changes.map(\.lines).joined() }
    let groups = Dictionary(grouping: changes, by: \.addition.rawValue).sorted { $0.key < $1.key }
    return groups.map { "\($0.key)  \($0.value.count) packages\n" }.joined()
}
