import Console
import PluginCore
import PluginRuntime

/// `hostapp catalog`
let catalogCommand = HostCommand(
    description: Command(
        "catalog", summary: "List what can be installed.",
        discussion: "Packages that can not be read are named on standard error and left out.",
        examples: [Command.Example("hostapp catalog --json", "for a script")]
    )
) { call in
    let listing = try call.manager.catalog.listing()
    let installed = Dictionary(
        try call.manager.registry.installed().map { ($0.active.identity.identifier, $0) }
    ) { first, _ in first }
    var table = Table([
        Table.Column("NAME"), Table.Column("IDENTIFIER"), Table.Column("VERSION"),
        Table.Column("SIZE", .trailing), Table.Column("INSTALLED"),
    ])
    var packages: [JSONText] = []
    for package in listing.packages {
        let identity = package.manifest.identity
        let bundle = installed[identity.identifier]
        let state =
            bundle?.active.identity == identity ? "yes" : bundle?.previous?.identity == identity ? "previous" : "no"
        table.add([
            package.manifest.name, identity.identifier, identity.version.description, byteCount(Int(package.size)),
            state,
        ])
        packages.append([
            "name": .string(package.manifest.name), "identifier": .string(identity.identifier),
            "version": .string(identity.version.description), "kind": .string(package.manifest.kind.rawValue),
            "summary": .string(package.manifest.summary), "size": .integer(Int(package.size)),
            "installed": .bool(state == "yes"), "state": .string(state),
        ])
    }
    if !call.isJSON {
        for problem in listing.problems { StandardOutput.note(problem.report.text(for: Terminal(.error))) }
    }
    return Answer(
        text: table.isEmpty ? "The catalog is empty.\n" : table.rendered(for: call.terminal),
        json: [
            "packages": .array(packages),
            "problems": .array(listing.problems.map(\.report.json)),
        ]
    )
}
