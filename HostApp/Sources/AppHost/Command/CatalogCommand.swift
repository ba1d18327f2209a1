import Console
import Doctor
import PluginCatalog
import PluginCore
import PluginRuntime
import Registry
import RemoteCatalog

/// The `hostapp catalog` command.
let catalogCommand = HostCommand(
    description: Command(
        "catalog", summary: "List what can be installed, and manage published catalogs.",
        discussion: """
            Unreadable packages are reported on standard error and skipped. Blocked versions, because they crashed a \
            host, are below the minimum version, or were built for another Core, are listed with the reason.

            A published catalog is protected by The Update Framework: before anything of it is used, "hostapp catalog trust" \
            pins its first root. Without a connection, its last state is used until it expires.
            """,
        examples: [
            Command.Example("hostapp catalog --json", "for a script"),
            Command.Example("hostapp --catalog https://plugins.example.org catalog trust 1.root.json"),
        ],
        subcommands: [
            Command("list", summary: "List what can be installed."),
            Command("sources", summary: "List the published catalogs of the sandbox in their order of precedence."),
            Command(
                "add", summary: "Add a published catalog to the sandbox.",
                discussion: """
                    From then on, packages come from the catalogs that were added, unless --catalog names another one. Each \
                    plugin comes from the first catalog that offers it. A catalog with prefixes offers only plugins whose \
                    identifiers begin with one of them, and no catalog without such a prefix offers those, so that no public \
                    package takes the place of a private one.
                    """,
                arguments: [
                    .required("NAME", help: "A name for the catalog."), .required("URL", help: "Its address."),
                ],
                options: [
                    rootOption,
                    .value(
                        "prefix", placeholder: "PREFIX", repeatable: true,
                        help: "The beginning of its plugins' identifiers, such as com.example."),
                    .value(
                        "channel", placeholder: "CHANNEL", repeatable: true,
                        kind: .words(["stable", "beta"]),
                        help: "The channels of releases, such as stable and beta; by default stable."),
                    .value(
                        "mirror", placeholder: "URL", repeatable: true,
                        help: "Another server with the same files, which is used while the first one cannot be reached."
                    ),
                    .value(
                        "ca", placeholder: "FILE",
                        kind: .file,
                        help: "The certificate authorities of its servers in PEM, in place of the system's."),
                    .flag("first", help: "Give it precedence over all others; otherwise it comes last."),
                ],
                examples: [
                    Command.Example(
                        "hostapp catalog add company https://plugins.example.org --root 1.root.json --prefix org.example"
                    )
                ]),
            Command(
                "remove", summary: "Remove a published catalog from the sandbox.",
                discussion: """
                    Its plugins stay installed. Its root is no longer pinned, so adding it again needs the root from its \
                    owner again.
                    """,
                arguments: [
                    .required(
                        "NAME", kind: .item(.catalog),
                        help: "The name of the catalog, or the address of one that was only trusted.")
                ]),
            Command(
                "trust", summary: "Pin the first root of the catalog that --catalog names.",
                discussion: """
                    All trust in the catalog follows from this file, so it must come from the catalog's owner on a way that \
                    an attacker does not control, such as with the host itself. It is pinned once; the owner can replace \
                    its keys later. "hostapp catalog remove URL" ends the trust.
                    """,
                arguments: [
                    .required(
                        "ROOT.json", kind: .file(ending: ".json"),
                        help: "The file 1.root.json of the catalog, or a later one.")
                ],
                examples: [
                    Command.Example("hostapp --catalog https://plugins.example.org catalog trust 1.root.json")
                ]),
            Command(
                "refresh", summary: "Fetch the newest state of all published catalogs.",
                examples: [Command.Example("hostapp catalog refresh --json")]),
        ],
        requiresSubcommand: false
    )
) { call in
    switch call.parsed.path.last {
    case "sources": try sources(call)
    case "add": try add(call)
    case "remove": try remove(call)
    case "trust": try trust(call)
    case "refresh": try await refresh(call)
    default: try await catalogListing(call)
    }
}

@MainActor
func catalogListing(_ call: HostCall) async throws -> Answer {
    try await call.manager.search { try listing(call, $0) }
}

@MainActor
private func listing(_ call: HostCall, _ offers: OfferedVersions) throws -> Answer {
    let listing = try offers.catalog.listing()
    if listing.packages.isEmpty { try offers.catalog.requireReachable() }
    let installed = try call.manager.registry.active.all()
    let active = Set(installed.map(\.active.identity))
    let previous = Set(installed.compactMap { $0.previous?.identity })
    let staged = Set(try call.manager.registry.staged.all().map(\.identity))
    let packageBlockRule = try offers.packageBlockRule()
    var (blocked, packages): (String, [JSONText]) = ("", [])
    var table = Table(["NAME", "IDENTIFIER", "VERSION", Table.Column("SIZE", .trailing), "INSTALLED"])
    for package in listing.packages {
        let (manifest, identity, size) = (package.manifest, package.manifest.identity, Int(package.size))
        var state = "no"
        var obstacle: AtriumError?
        if active.contains(identity) {
            state = "yes"
        } else if previous.contains(identity) {
            state = "previous"
        } else if staged.contains(identity) {
            state = "staged"
        } else if let reason = try packageBlockRule(package) {
            (state, obstacle) = ("blocked", reason)
            blocked += "\(printable(reason.report.message))\n"
        }
        table.add([
            manifest.name, identity.identifier.text, identity.version.description, byteCount(size),
            localized(key: state),
        ])
        packages.append(
            .object(
                [("name", .string(manifest.name))] + identity.jsonMembers + [
                    ("kind", .string(manifest.kind.rawValue)), ("summary", .string(manifest.summary)),
                    ("size", .integer(size)), ("installed", .bool(state == "yes")), ("state", .string(state)),
                    ("obstacle", obstacle?.report.content ?? .null),
                ]))
    }
    if !call.isJSON {
        for problem in listing.problems { StandardOutput.note(problem.report.text(for: Terminal(.error))) }
    }
    return Answer(
        text: table.isEmpty
            ? localized("The catalog is empty.\n")
            : table.rendered(for: call.terminal) + (blocked.isEmpty ? "" : "\n" + blocked),
        json: ["packages": .array(packages), "problems": .array(listing.problems.map(\.report.json))])
}

/// The `hostapp store` command.
let storeCommand = HostCommand(
    description: Command(
        "store", summary: "Browse the plugins, install them and open them.",
        discussion: """
            On a terminal, the store is a screen: the arrow keys or the mouse select a plugin, letters search, Enter \
            installs it or opens it, and ? lists the keys. "hostapp" without a command opens the app's first page, from \
            which the key s leads to the store. Elsewhere, and with --plain or --json, the answer is that of "hostapp \
            catalog".
            """,
        examples: [
            Command.Example("hostapp store"),
            Command.Example("hostapp store --plain", "as text, for a screen reader"),
        ]
    )
) { call in
    guard call.canShowScreens else { return try await catalogListing(call) }
    try await call.showScreens(from: .store)
    return nil
}
