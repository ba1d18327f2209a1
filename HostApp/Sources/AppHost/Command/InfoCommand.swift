import Console
import PluginCore
import PluginRuntime

/// `hostapp info`
let infoCommand = HostCommand(
    description: Command(
        "info", summary: "Tell all about one installed plugin.",
        arguments: [.required("ID", help: "The plugin's identifier.")],
        examples: [Command.Example("hostapp info com.example.app.shop")]
    )
) { call in
    let installed = try call.manager.requireInstalled(call.parsed.argument("ID") ?? "")
    let manifest = try call.manager.registry.manifest(of: installed.active)
    let staged = try call.manager.registry.staged(manifest.identity.identifier)
    let sandbox = call.manager.sandbox
    let folder = sandbox.folder(of: installed.active.identity, digest: installed.active.digest)
    let container = try sandbox.container(of: manifest.identity.identifier)
    return Answer(
        text: infoText(installed, staged, manifest, folder: folder, container: container, call.terminal),
        json: infoJSON(installed, staged, manifest, folder: folder, container: container)
    )
}

private func infoText(
    _ installed: InstalledBundle, _ staged: PluginBundle?, _ manifest: Manifest, folder: FilePath,
    container: FilePath, _ terminal: Terminal
) -> String {
    var table = Table([Table.Column(style: .dim), Table.Column()])
    table.add(["name", manifest.name])
    if !manifest.summary.isEmpty { table.add(["summary", manifest.summary]) }
    table.add(["identifier", manifest.identity.identifier])
    table.add(["version", manifest.identity.version.description])
    table.add(["previous", installed.previous?.identity.version.description ?? "-"])
    if let staged { table.add(["staged", "\(staged.identity.version), active when a host starts next"]) }
    table.add(["kind", manifest.kind.rawValue])
    table.add(["Core ABI", String(manifest.coreABI)])
    table.add(["installed", timestamp(installed.active.installedAt)])
    table.add(["size", byteCount(Int(installed.active.size))])
    table.add(["digest", installed.active.digest])
    table.add(["code", folder.string])
    table.add(["data", container.string])
    for requirement in manifest.requirements {
        table.add(["requires", requirement.words])
    }
    for route in manifest.routes {
        let guards = route.guards.isEmpty ? "" : "  after \(route.guards.joined(separator: ", "))"
        let wishes = route.wishes.isEmpty ? "" : "  \(route.wishes.joined(separator: ", "))"
        table.add(["route", "\(route.pattern)  \(route.kind.rawValue) \(route.name)\(guards)\(wishes)"])
    }
    for target in manifest.targets {
        table.add(["target", "\(target.name): \(target.actions.map(\.words).joined(separator: ", "))"])
    }
    for service in manifest.services { table.add(["service", service]) }
    return table.rendered(for: terminal)
}

private func infoJSON(
    _ installed: InstalledBundle, _ staged: PluginBundle?, _ manifest: Manifest, folder: FilePath,
    container: FilePath
) -> JSONText {
    return .object(
        installed.jsonMembers + [
            ("staged", .string(orNull: staged?.identity.version.description)),
            ("summary", .string(manifest.summary)), ("coreABI", .integer(Int(manifest.coreABI))),
            ("code", .string(folder.string)), ("data", .string(container.string)),
            ("requires", .array(manifest.requirements.map(\.json))), ("routes", .array(manifest.routes.map(\.json))),
            ("targets", .array(manifest.targets.map(\.json))), ("services", .strings(manifest.services)),
        ]
    )
}
