import BundleFormat
import CatalogFormat
import CatalogPublisher
import Console
import HostSystem
import PluginCore
import RemoteCatalog
import Trust

/// The `bundletool add` command.
let addCommand = ProgramCommand(
    "add", arguments: [.optional("plugin"), .optional("range")],
    options: ComponentOptions.declarations + [
        .flag("sdk"), .value("output", short: "o", placeholder: "dir", default: "."),
    ]
) { parsed, _ in
    if parsed.flag("sdk") { return try sdk(parsed) }
    let project = try PluginProject.at(parsed.value("directory"))
    try project.requirePackage()
    try project.lock("components.lock")
    guard let word = parsed.argument("plugin") else { return try restore(project, parsed) }
    let identifier = try ComponentOptions.identifier(word, in: parsed)
    return try add(identifier, range(parsed.argument("range"), parsed), to: project, parsed)
}

// MARK: Adding

private func add(
    _ identifier: BundleIdentifier, _ range: VersionRange?, to project: PluginProject, _ parsed: ParsedCommand
) throws -> Answer {
    let lock = try project.componentLock()
    let before = lock[identifier]
    let used = Set(lock.components.map(\.catalog))
    let text = parsed.value("catalog") ?? before?.catalog ?? (used.count == 1 ? used.first : nil)
    guard let text else { throw CommandError.catalogMissing }
    let address = try ComponentSource.address(text)
    let rootName = try project.rootName(of: address.description)
    let (source, root) = try source(address, project, rootName, parsed)
    let trust = try ComponentOptions.trust(of: project, in: parsed)
    let chosen = range ?? before.flatMap { VersionRange($0.range) }
    let archive = try source.fetch(source.newest(of: identifier, in: chosen))
    try archive.verify(by: trust, for: .install, at: Environment.now())
    let component = ComponentLock.Component(
        identifier: identifier, version: archive.identity.version,
        range: chosen?.description ?? "^\(archive.identity.version)", module: archive.module,
        team: archive.seal.team, seal: archive.sealDigest, catalog: address.description,
        library: archive.isLibrary ? true : nil)
    var change = ComponentChange(project: project, lock: lock)
    change.lock[identifier] = component
    change.additions = [archive]
    if let before, before.module != archive.module { change.removed = [before.module] }
    change.files = [rootName: root, project.componentTrust.lastComponent: trust.encoded()]
    let lines = try change.commit()
    let word = before == nil ? "added" : before == component ? "unchanged" : "updated"
    let (identity, module) = (component.identity, component.module)
    var words = "\(word)  \(identity), signed by \(component.team)\n"
    words += "  Components/\(module)  \(archive.isLibrary ? "the library" : "the sources of its Interface")\n"
    words += "  manifest.json requires \(identity.identifier) \(printable(component.range))\n"
    if !lines.isEmpty {
        words += "Package.swift cannot be changed automatically. Add these lines to its end:\n\n"
        words += lines.map { $0 + "\n" }.joined() + "\n"
    }
    let call = archive.isLibrary ? "" : " call the plugin by its contracts,"
    words += "Next: write \"import \(module)\",\(call) and run \"bundletool build\".\n"
    return Answer(
        text: words,
        json: [
            "change": word, "identifier": identity.identifier, "version": identity.version,
            "before": before?.version, "range": component.range, "module": module, "team": component.team,
            "catalog": component.catalog, "folder": project.components.appending(module), "linesToAdd": lines,
        ])
}

/// Opens a catalog with a root that is pinned in the project, or will be.
private func source(
    _ address: CatalogAddress, _ project: PluginProject, _ rootName: String, _ parsed: ParsedCommand
) throws -> (source: ComponentSource, root: [UInt8]) {
    try ComponentOptions.source(
        address, pinned: project.components.appending(rootName), folder: project.workFolder.appending("catalogs"),
        in: parsed)
}

// MARK: Restoring

private func restore(_ project: PluginProject, _ parsed: ParsedCommand) throws -> Answer {
    let lock = try project.componentLock()
    guard !lock.components.isEmpty else { throw parsed.missing("<plugin>") }
    let trust = try ComponentOptions.trust(of: project, in: parsed)
    // Addresses in the lock file have no passwords: those are only in the command line.
    let given = try parsed.value("catalog").map(ComponentSource.address)
    var change = ComponentChange(project: project, lock: lock)
    for component in lock.components {
        let locked = try ComponentSource.address(component.catalog)
        let address = given.flatMap { $0.description == locked.description ? $0 : nil } ?? locked
        let rootName = try project.rootName(of: component.catalog)
        let (source, root) = try source(address, project, rootName, parsed)
        let archive = try source.fetch(source.locked(component))
        // A key that was replaced since does not sign new components, and what it has signed stays valid, as in a host.
        try archive.verify(by: trust, for: .load, at: Environment.now())
        change.additions.append(archive)
        change.files[rootName] = root
    }
    let lines = try change.commit()
    let restored = lock.components.map {
        JSONText(["identifier": $0.identifier, "version": $0.version, "module": $0.module])
    }
    var text = lock.components.map { "restored  \($0.identity)  Components/\($0.module)\n" }.joined()
    if !lines.isEmpty { text += "Add these lines to Package.swift:\n\n" + lines.map { $0 + "\n" }.joined() }
    return Answer(text: text, json: ["restored": restored, "linesToAdd": lines])
}

// MARK: SDKs

private func sdk(_ parsed: ParsedCommand) throws -> Answer {
    guard let text = parsed.value("catalog") else { throw CommandError.catalogMissing }
    let range = try range(parsed.argument("plugin"), parsed) ?? .any
    let output = parsed.file("output") ?? "."
    _ = try CurrentFolder.resolve(output.string, in: ["bundletool", "add"])
    return try Files.withTemporaryFolder { folder in
        let (source, _) = try ComponentOptions.source(
            ComponentSource.address(text), pinned: nil, folder: folder, in: parsed)
        let sdk = try source.newestSDK(for: Platform.triple, in: range)
        let path = try source.fetch(sdk, into: output)
        let description = sdk.description
        return Answer(
            text: """
                fetched  the SDK \(description.version) for \(description.platform), \(byteCount(sdk.length))
                Next: tar -xzf \(printable(path)), and put its bin on PATH. It needs Swift \(printable(description.swift)).

                """,
            json: [
                "file": path, "version": description.version, "platform": description.platform,
                "swift": description.swift, "size": sdk.length,
            ])
    }
}

private func range(_ text: String?, _ parsed: ParsedCommand) throws -> VersionRange? {
    guard let text else { return nil }
    guard let range = VersionRange(text) else { throw parsed.invalid("<range>", text) }
    return range
}
