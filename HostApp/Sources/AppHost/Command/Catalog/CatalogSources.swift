import Console
import PluginCore
import PluginRuntime
import Registry
import RemoteCatalog

/// The option with the first root of a catalog.
let rootOption = Command.Option.value(
    "root", placeholder: "FILE",
    help:
        "The catalog's file 1.root.json, from its owner on a separate, trusted way; not for one that is pinned already."
)

// The published catalogs of a sandbox.

@MainActor
func sources(_ call: HostCall) throws -> Answer {
    let sources = try call.catalogSources.read()
    var table = Table([
        Table.Column("NAME"), Table.Column("ADDRESS"), Table.Column("PREFIXES"), Table.Column("CHANNELS"),
    ])
    for source in sources {
        table.add([
            source.name, source.address.description,
            source.prefixes.isEmpty ? "all" : source.prefixes.joined(separator: ", "),
            source.channels.joined(separator: ", "),
        ])
    }
    return Answer(
        text: table.isEmpty ? "No catalog was added.\n" : table.rendered(for: call.terminal),
        json: ["sources": .array(sources.map(\.json))])
}

@MainActor
func add(_ call: HostCall) throws -> Answer {
    let (name, text) = (call.parsed.argument("NAME") ?? "", call.parsed.argument("URL") ?? "")
    guard case .published(let address) = try CatalogPlace(text, in: call.environment) else {
        throw UsageError(
            .invalidValue, subject: "<URL>", expected: ["the address of a published catalog"],
            command: ["hostapp", "catalog", "add"], value: text)
    }
    var all = try call.catalogSources.read()
    guard !all.contains(where: { $0.name == name }) else {
        throw UsageError(
            .invalidValue, subject: "<NAME>", expected: ["a name that no catalog has"],
            command: ["hostapp", "catalog", "add"], value: name)
    }
    let channels = call.parsed.values("channel")
    let source = CatalogSource(
        name: name, address: address, prefixes: call.parsed.values("prefix"),
        channels: channels.isEmpty ? ["stable"] : channels)
    if let (value, option) = source.invalidValue {
        throw UsageError(
            .invalidValue, subject: option == .prefix ? "--prefix" : option == .channel ? "--channel" : "<URL>",
            expected: [
                option == .prefix
                    ? "the beginning of an identifier in whole labels, such as org.example"
                    : option == .channel
                        ? "a name of small letters, digits and hyphens"
                        : "an address without spaces and special characters"
            ],
            command: ["hostapp", "catalog", "add"], value: value)
    }
    if let root = call.parsed.value("root") {
        try call.catalog(of: source).pin(root: Array(InputFile.content(of: try call.resolve(root))))
    }
    all.insert(source, at: call.parsed.flag("first") ? 0 : all.count)
    try call.catalogSources.write(all)
    return Answer(text: "Added the catalog \(printable(name)).\n", json: source.json)
}

@MainActor
func remove(_ call: HostCall) throws -> Answer {
    let name = call.parsed.argument("NAME") ?? ""
    var all = try call.catalogSources.read()
    guard let index = all.firstIndex(where: { $0.name == name }) else {
        throw UsageError(
            .invalidValue, subject: "<NAME>", expected: all.map(\.name), command: ["hostapp", "catalog", "remove"],
            value: name)
    }
    let source = all.remove(at: index)
    try call.catalogSources.write(all)
    return Answer(text: "Removed the catalog \(printable(name)).\n", json: source.json)
}

@MainActor
func trust(_ call: HostCall) throws -> Answer {
    guard let catalog = call.catalogs.named else {
        throw UsageError(
            .missingValue, subject: "--catalog", expected: ["--catalog <URL>"],
            command: ["hostapp", "catalog", "trust"])
    }
    try catalog.pin(root: Array(InputFile.content(of: try call.resolve(call.parsed.argument("ROOT.json") ?? ""))))
    return Answer(
        text: "Pinned the root of \(catalog.address).\n", json: ["catalog": .string(catalog.address.description)])
}

@MainActor
func refresh(_ call: HostCall) async throws -> Answer {
    var (text, states): (String, [JSONText]) = ("", [])
    var failure: (any Error)?
    for catalog in call.catalogs.published {
        let status: RemoteCatalog.Status
        do throws(AtriumError) {
            status = try await catalog.refresh()
            if let failure = status.failure { throw failure }
        } catch {
            // The other catalogs are refreshed nevertheless.
            failure = failure ?? error
            continue
        }
        let expires = timestamp(Int64(status.expires))
        text += "\(catalog.address) is up to date, and valid until \(expires).\n"
        states.append(["catalog": .string(catalog.address.description), "expires": .string(expires)])
    }
    let replaced = try await call.manager.transactions.revokedVersions.replace()
    if let failure { throw failure }
    text += replaced.text
    return Answer(
        text: text.isEmpty ? "A folder of packages needs no refresh.\n" : text,
        json: ["catalogs": .array(states), "revoked": .array(replaced.map(\.json))])
}

extension [RevokedVersions.Replacement] {
    /// A line for each version that was blocked.
    var text: String {
        map { replacement in
            let now =
                replacement.active.map { "\($0.identity) is active" } ?? "the plugin is disabled until it is updated"
            return "\(replacement.revoked) was revoked: \(printable(replacement.reason)); \(now).\n"
        }.joined()
    }
}

extension RevokedVersions.Replacement {
    /// The version, the reason, and the version that is active now.
    var json: JSONText {
        [
            "revoked": .string(revoked.description), "reason": .string(reason),
            "active": .string(orNull: active?.identity.description),
        ]
    }
}

extension CatalogSource {
    fileprivate var json: JSONText {
        [
            "name": .string(name), "address": .string(address.description), "prefixes": .strings(prefixes),
            "channels": .strings(channels),
        ]
    }
}
