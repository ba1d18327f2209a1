import Console
import Doctor
import PluginCatalog
import PluginCore
import PluginRuntime
import Registry
import RemoteCatalog

private func invalid(_ value: String, of field: CatalogSource.Field, in parsed: ParsedCommand) -> UsageError {
    let subject =
        switch field {
        case .address: "<URL>"
        case .authorities: "--ca"
        default: "--\(field)"
        }
    return parsed.invalid(subject, value, [hostText("\(field)Expected")])
}

/// Opens what a refresh needs besides the saved metadata, which is verified meanwhile: libcurl, and then the database.
@concurrent
private func prepareRefresh(_ call: HostCall) async {
    await RemoteCatalog.prepareRequests()
    await RevokedVersions(of: call.manager).prepare()
}

extension [RevokedVersions.Replacement] {
    /// A line for each version that was blocked.
    var text: String {
        map { replacement in
            let now =
                replacement.active.map { localized("\($0.identity) is active") }
                ?? localized("the plugin is disabled until it is updated")
            return localized("\(replacement.revoked) was revoked: \(printable(replacement.reason)); \(now).\n")
        }.joined()
    }
}

extension RevokedVersions.Replacement {
    /// The version, the reason, and the version that is active now.
    var json: JSONText { ["revoked": revoked, "reason": reason, "active": active?.identity] }
}

extension CatalogSource {
    var json: JSONText {
        [
            "name": redacted(name), "address": address.description, "prefixes": prefixes, "channels": channels,
            "mirrors": mirrors.map(\.description), "authorities": authorities,
        ]
    }
}

/// The `hostapp catalog sources` command.
let catalogSources = HostCommand("sources") { call in
    call.listing(
        try call.environment.catalogSources(of: call.sandbox).map(\.source), as: "sources", \.json,
        in: ["NAME", "ADDRESS", "PREFIXES", "CHANNELS", "MIRRORS", "AUTHORITIES"],
        otherwise: localized("No catalog was added.\n")
    ) { source in
        [
            redacted(source.name), source.address,
            source.prefixes.isEmpty ? localized("all") : source.prefixes.joined(separator: ", "),
            source.channels.joined(separator: ", "),
            source.mirrors.isEmpty ? localized("none") : source.mirrors.map(\.description).joined(separator: ", "),
            source.authorities ?? localized("the system's"),
        ]
    }
}

/// The `hostapp catalog add` command.
let catalogAdd = HostCommand(
    "add", arguments: [.required("NAME"), .required("URL")],
    options: [
        .value("root", placeholder: "FILE", kind: .file(ending: ".json")),
        .value("prefix", placeholder: "PREFIX", repeatable: true),
        .value("channel", placeholder: "CHANNEL", repeatable: true, kind: .words(["stable", "beta"])),
        .value("mirror", placeholder: "URL", repeatable: true), .value("ca", placeholder: "FILE", kind: .file),
        .flag("first"),
    ]
) { call in
    let (name, text) = (call.argument("NAME"), call.argument("URL"))
    guard case .published(let address) = try call.environment.catalogPlace(text) else {
        throw call.parsed.invalid("<URL>", text, [localized("the address of a published catalog")])
    }
    let channels = call.parsed.values("channel")
    var source = CatalogSource(
        name: name, address: address, prefixes: call.parsed.values("prefix"),
        channels: channels.isEmpty ? ["stable"] : channels)
    for mirror in call.parsed.values("mirror") {
        guard let address = CatalogAddress(mirror) else { throw invalid(mirror, of: .mirror, in: call.parsed) }
        source.mirrors.append(address)
    }
    if let path = call.value("ca") {
        let file = try call.resolve(path)
        let content = String(decoding: try InputFile.content(of: file), as: UTF8.self)
        guard content.contains("-----BEGIN CERTIFICATE-----") else {
            throw invalid(file.string, of: .authorities, in: call.parsed)
        }
        source.authorities = file
    }
    if let (value, field) = source.invalidValue { throw invalid(value, of: field, in: call.parsed) }
    let added = source
    try call.catalogSources.change { sources in
        guard !sources.contains(where: { $0.name == name }) else {
            throw call.parsed.invalid("<NAME>", name, [localized("a name that no catalog has")])
        }
        if let root = call.value("root") {
            try call.catalog(of: added).pin(root: InputFile.content(of: call.resolve(root)))
        }
        sources.insert(added, at: call.flag("first") ? 0 : sources.count)
    }
    return Answer(text: localized("Added the catalog \(printable(redacted(name))).\n"), json: source.json)
}

/// The `hostapp catalog remove` command.
let catalogRemove = HostCommand("remove", arguments: [.required("NAME", kind: .host(.catalog))]) { call in
    let name = call.argument("NAME")
    let removed: CatalogSource? = try call.catalogSources.change { sources in
        var removed = sources.firstIndex { $0.name == name }.map { sources.remove(at: $0) }
        if removed == nil, let address = CatalogAddress(name), !sources.contains(where: { $0.address == address }) {
            let trusted = CatalogSource(name: name, address: address)
            if try call.catalog(of: trusted).hasRoot { removed = trusted }
        }
        // Another source can have the same address, and then needs the root.
        guard let removed, !sources.contains(where: { $0.address == removed.address }) else { return removed }
        try call.catalog(of: removed).forget()
        return removed
    }
    guard let removed else {
        throw call.parsed.invalid("<NAME>", name, try call.catalogSources.read().map(\.name))
    }
    return Answer(text: localized("Removed the catalog \(printable(redacted(name))).\n"), json: removed.json)
}

/// The `hostapp catalog trust` command.
let catalogTrust = HostCommand("trust", arguments: [.required("ROOT.json", kind: .file(ending: ".json"))]) { call in
    guard let catalog = call.catalogs.named else {
        throw UsageError(
            .missingValue, subject: "--catalog", expected: ["--catalog <URL>"],
            command: ["hostapp", "catalog", "trust"])
    }
    try catalog.pin(root: InputFile.content(of: call.resolve(call.argument("ROOT.json"))))
    let address = catalog.address
    return Answer(text: localized("Pinned the root of \(address).\n"), json: ["catalog": address.description])
}

/// The `hostapp catalog refresh` command.
let catalogRefresh = HostCommand("refresh") { call in
    async let prepared: Void = prepareRefresh(call)
    var (text, states): (String, [JSONText]) = ("", [])
    var failure: (any Error)?
    for catalog in call.catalogs.published {
        do {
            let status = try await catalog.refresh()
            if let failure = status.failure { throw failure }
            let expires = timestamp(Int64(status.expires))
            text += localized("\(catalog.address) is up to date, and valid until \(expires).\n")
            states.append(["catalog": catalog.address.description, "expires": expires])
        } catch {
            // The other catalogs are refreshed nevertheless.
            failure = failure ?? error
        }
    }
    await prepared
    let replaced = try await RevokedVersions(of: call.manager).replace()
    if let failure { throw failure }
    text += replaced.text
    return Answer(
        text: text.isEmpty ? localized("A folder of packages needs no refresh.\n") : text,
        json: ["catalogs": states, "revoked": replaced.map(\.json)])
}

/// The `hostapp catalog` command.
let catalogCommand = HostCommand(
    "catalog", subcommands: [catalogList, catalogSources, catalogAdd, catalogRemove, catalogTrust, catalogRefresh],
    body: catalogListing)

/// The `hostapp catalog list` command.
private let catalogList = HostCommand("list", body: catalogListing)

@MainActor
func catalogListing(_ call: HostCall) async throws -> Answer {
    try await call.manager.search { offers in
        let listing = try offers.catalog.listing()
        if listing.packages.isEmpty { try offers.catalog.requireReachable() }
        let blockRule = try offers.packageBlockRule()
        var states: [BundleIdentity: String] = [:]
        for bundle in try call.registry.staged.all() { states[bundle.identity] = "staged" }
        for bundle in try call.registry.active.all() {
            if let previous = bundle.previous { states[previous.identity] = "previous" }
            states[bundle.active.identity] = "yes"
        }
        var (blocked, packages): (String, [JSONText]) = ("", [])
        var table = Table(["NAME", "IDENTIFIER", "VERSION", .init("SIZE", .trailing), "INSTALLED"])
        for package in listing.packages {
            let (manifest, identity, size) = (package.manifest, package.manifest.identity, Int(package.size))
            let obstacle = states[identity] == nil ? try blockRule(package) : nil
            let state = states[identity] ?? (obstacle == nil ? "no" : "blocked")
            if let obstacle { blocked += "\(printable(obstacle.report.message))\n" }
            table.add([
                manifest.name, identity.identifier, identity.version, byteCount(size), localized(key: state),
            ])
            packages.append(
                ["name": manifest.name] + identity.jsonObject + [
                    "kind": manifest.kind.rawValue, "summary": manifest.summary, "size": size,
                    "installed": state == "yes", "state": state, "obstacle": obstacle?.report.content,
                ])
        }
        if !call.isJSON {
            for problem in listing.problems { StandardOutput.note(problem.report.text(for: Terminal(.error))) }
        }
        return Answer(
            text: call.text(of: table, otherwise: localized("The catalog is empty.\n"))
                + (blocked.isEmpty ? "" : "\n" + blocked),
            json: ["packages": packages, "problems": listing.problems.map(\.report.json)])
    }
}

/// The `hostapp store` command.
let storeCommand = HostCommand("store") { call in
    guard call.canShowScreens else { return try await catalogListing(call) }
    try await call.showScreens(from: .store)
    return nil
}
