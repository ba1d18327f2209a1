import BundleFormat
import CatalogFormat
import CatalogPublisher
import Console
import PluginCore

/// The `bundletool catalog` command.
let catalogCommand = ProgramCommand("catalog", arguments: [.required("repo", kind: .folder)]) { parsed, terminal in
    let report = try CatalogReport(of: parsed.file(argument: "repo"))
    let status: ExitStatus = report.warnings.isEmpty && report.problems.isEmpty ? .done : .refused
    return Answer(
        text: text(report, terminal),
        json: [
            "roles": report.roles.map(\.json), "packages": report.packages.map(\.json),
            "components": report.components.map(\.json), "problems": report.problems,
        ], status: status)
}

private func text(_ report: CatalogReport, _ terminal: Terminal) -> String {
    var roles = Table(["ROLE", .init("VERSION", .trailing), "EXPIRES", .init("TARGETS", .trailing), "KEYS"])
    for role in report.roles {
        let keys = role.keys.map { String($0.prefix(16)) }.joined(separator: " ")
        roles.add([
            role.name, role.version, role.expires, role.targetCount.map { "\($0)" } ?? "",
            role.keys.count == 1 ? keys : "\(role.threshold) of \(keys)",
        ])
    }
    var packages = Table(["PACKAGE", "STATE", "TEAM", "ROLE", .init("SIZE", .trailing), "DELTAS"])
    for package in report.packages {
        let (entry, revocation) = (package.entry, package.revocation.map { "revoked: \($0)" })
        let share = entry.map { $0.rollout < 100 ? " \($0.rollout)%" : "" } ?? ""
        packages.add([
            package.identity, revocation ?? (entry?.channel ?? "") + share, entry?.team ?? "", package.role,
            package.size.map { byteCount($0) } ?? "", words(for: entry?.deltas ?? []),
        ])
        for part in entry?.parts ?? [] {
            let hosts = entry?.hosts(of: part).words ?? part.platform
            packages.add(["  \(hosts)", "", "", "", byteCount(part.length), words(for: part.deltas)])
        }
        if let entry, entry.parts.isEmpty {
            for build in entry.builds { packages.add(["  \(build.words)", "", "", "", "", ""]) }
        }
    }
    var text = roles.rendered(for: terminal)
    text += packages.isEmpty ? "\nThere are no packages.\n" : "\n" + packages.rendered(for: terminal)
    let components = Table(
        ["COMPONENT", "KIND", "NAME", "TEAM", "ROLE", .init("SIZE", .trailing)],
        rows: report.components.map(\.row))
    if !components.isEmpty { text += "\n" + components.rendered(for: terminal) }
    let lines = (report.warnings.map(\.warning) + report.problems).map {
        "\(terminal.styled("warning", .red)): \(printable($0))\n"
    }
    return text + (lines.isEmpty ? "" : "\n") + lines.joined()
}

/// Returns the versions from which deltas lead, with their sizes.
func words(for deltas: [CatalogDelta]) -> String {
    deltas.map { "\($0.base) (\(byteCount($0.length)))" }.joined(separator: ", ")
}

extension CatalogDelta {
    var json: JSONText { ["from": base, "size": length] }
}

extension CatalogPart {
    var json: JSONText { ["platform": platform, "size": length, "deltas": deltas.map(\.json)] }
}

extension CatalogEntry {
    /// The hosts that the version serves.
    var builds: [LibraryBuild] { hosts.map { LibraryBuild($0) } }

    /// Returns the hosts that a part serves; its platform alone if its libraries do not say more.
    func hosts(of part: CatalogPart) -> LibraryBuild {
        let named = LibraryBuild(part.platform)
        return named.coreABI == nil ? builds.first { $0.platform == named.platform } ?? named : named
    }
}

extension LibraryBuild {
    var json: JSONText { ["platform": platform, "compiler": compiler, "coreABI": coreABI.map(Int.init)] }
}

extension CatalogReport.Role {
    /// The reason why the role needs a signature.
    var warning: String {
        if !isSigned { return "\"\(name)\" is not signed by enough of its keys" }
        let words = life == .expired ? "has expired since" : "expires at"
        return "\"\(name)\" \(words) \(expires); its keys must sign it again with \"bundletool renew\""
    }

    var json: JSONText {
        [
            "name": name, "version": version, "expires": "\(expires)", "life": life.rawValue, "signed": isSigned,
            "keys": keys, "threshold": threshold, "targets": targetCount, "size": size,
        ]
    }
}

extension CatalogReport.Package {
    fileprivate var json: JSONText {
        [
            "identifier": identity.identifier, "version": identity.version, "role": role, "team": entry?.team,
            "channel": entry?.channel, "rollout": entry?.rollout, "size": size,
            "deltas": entry?.deltas.map(\.json) ?? [], "parts": entry?.parts.map(\.json) ?? [],
            "hosts": entry?.builds.map(\.json) ?? [],
            "revoked": revocation,
        ]
    }
}

/// The `bundletool revoke` command.
let revokeCommand = ProgramCommand(
    "revoke", arguments: [CatalogOptions.version],
    options: [.value("reason", placeholder: "text", presence: .required)] + CatalogOptions.editing
) { parsed, _ in
    let identity = try CatalogOptions.identity(in: parsed)
    let reason = parsed.value("reason") ?? ""
    guard reason.utf8.count <= CatalogLimits.reason else {
        throw parsed.invalid("--reason", reason, ["at most \(CatalogLimits.reason) bytes"])
    }
    try CatalogOptions.change(parsed) { editor, _ in try editor.revoke(identity, reason: reason) }
    return Answer(
        text: "revoked  \(identity): \(printable(reason))\n",
        json: ["identifier": identity.identifier, "version": identity.version, "reason": reason])
}

/// The `bundletool unpublish` command.
let unpublishCommand = ProgramCommand(
    "unpublish", arguments: [CatalogOptions.version], options: CatalogOptions.editing
) { parsed, _ in
    let identity = try CatalogOptions.identity(in: parsed)
    try CatalogOptions.change(parsed) { editor, _ in try editor.unpublish(identity) }
    return Answer(
        text: "unpublished  \(identity)\n", json: ["identifier": identity.identifier, "version": identity.version])
}

/// The `bundletool renew` command.
let renewCommand = ProgramCommand("renew", options: CatalogOptions.editing) { parsed, _ in
    let renewed = try CatalogOptions.change(parsed) { editor, keys in try editor.renew(with: keys) }
    let warnings = try CatalogReport(of: parsed.file("to") ?? "").warnings
    return Answer(
        text: "renewed  \(renewed.joined(separator: ", "))\n",
        json: ["renewed": renewed, "warnings": warnings.map(\.json)],
        note: warnings.map { "warning: \($0.warning)\n" }.joined())
}
