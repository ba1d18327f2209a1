import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp catalog` command.
let catalogCommand = HostCommand(
    description: Command(
        "catalog", summary: "List what can be installed.",
        discussion: """
            Unreadable packages are reported on standard error and skipped. Blocked versions, because they crashed a \
            host, are below the minimum version, or were built for another Core, are listed with the reason.
            """,
        examples: [Command.Example("hostapp catalog --json", "for a script")]
    )
) { call in
    let listing = try call.manager.offers.catalog.listing()
    if listing.packages.isEmpty { try call.manager.offers.catalog.requireReachable() }
    let installed = Dictionary(
        try call.manager.registry.active.all().map { ($0.active.identity.identifier, $0) }
    ) { first, _ in first }
    let staged = Set(try call.manager.registry.staged.all().map(\.identity))
    let manifestBlockRule = try call.manager.offers.manifestBlockRule()
    var blocked = ""
    var table = Table([
        Table.Column("NAME"), Table.Column("IDENTIFIER"), Table.Column("VERSION"),
        Table.Column("SIZE", .trailing), Table.Column("INSTALLED"),
    ])
    var packages: [JSONText] = []
    for package in listing.packages {
        let identity = package.manifest.identity
        let bundle = installed[identity.identifier]
        var state = "no"
        var obstacle: AtriumError?
        if bundle?.active.identity == identity {
            state = "yes"
        } else if bundle?.previous?.identity == identity {
            state = "previous"
        } else if staged.contains(identity) {
            state = "staged"
        } else if let reason = try manifestBlockRule(package.manifest) {
            state = "blocked"
            obstacle = reason
            blocked += "\(printable(reason.report.message))\n"
        }
        table.add([
            package.manifest.name, identity.identifier.text, identity.version.description, byteCount(Int(package.size)),
            state,
        ])
        packages.append([
            "name": .string(package.manifest.name), "identifier": .string(identity.identifier.text),
            "version": .string(identity.version.description), "kind": .string(package.manifest.kind.rawValue),
            "summary": .string(package.manifest.summary), "size": .integer(Int(package.size)),
            "installed": .bool(state == "yes"), "state": .string(state),
            "obstacle": obstacle?.report.content ?? .null,
        ])
    }
    if !call.isJSON {
        for problem in listing.problems { StandardOutput.note(problem.report.text(for: Terminal(.error))) }
    }
    return Answer(
        text: table.isEmpty
            ? "The catalog is empty.\n" : table.rendered(for: call.terminal) + (blocked.isEmpty ? "" : "\n" + blocked),
        json: [
            "packages": .array(packages),
            "problems": .array(listing.problems.map(\.report.json)),
        ]
    )
}
