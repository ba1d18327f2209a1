import CatalogFormat
import CatalogPublisher
import Console
import PluginCore

/// The `bundletool catalog` command.
enum CatalogCommand: ProgramCommand {
    static let declaration = Command("catalog", arguments: [.required("repo", kind: .folder)])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let report = try CatalogReport(of: parsed.file(argument: "repo"))
        let status: ExitStatus = report.warnings.isEmpty && report.problems.isEmpty ? .done : .refused
        return Answer(
            text: text(report, terminal),
            members: [
                "roles": report.roles.map(json), "packages": report.packages.map(json),
                "components": report.components.map(\.json), "problems": report.problems,
            ], status: status)
    }

    private static func text(_ report: CatalogReport, _ terminal: Terminal) -> String {
        var roles = Table(["ROLE", .init("VERSION", .trailing), "EXPIRES", .init("TARGETS", .trailing), "KEYS"])
        for role in report.roles {
            let keys = role.keys.map { String($0.prefix(16)) }.joined(separator: " ")
            roles.add([
                role.name, "\(role.version)", "\(role.expires)", role.targetCount.map { "\($0)" } ?? "",
                role.keys.count == 1 ? keys : "\(role.threshold) of \(keys)",
            ])
        }
        var packages = Table(["PACKAGE", "STATE", "TEAM", "ROLE", .init("SIZE", .trailing), "DELTAS"])
        for package in report.packages {
            let (entry, revocation) = (package.entry, package.revocation.map { "revoked: \($0)" })
            let share = entry.map { $0.rollout < 100 ? " \($0.rollout)%" : "" } ?? ""
            packages.add([
                "\(package.identity)", revocation ?? (entry?.channel ?? "") + share, entry?.team ?? "", package.role,
                package.size.map { byteCount($0) } ?? "", words(for: entry?.deltas ?? []),
            ])
            for part in entry?.parts ?? [] {
                packages.add(["  \(part.platform)", "", "", "", byteCount(part.length), words(for: part.deltas)])
            }
        }
        var text = roles.rendered(for: terminal)
        text += packages.isEmpty ? "\nThere are no packages.\n" : "\n" + packages.rendered(for: terminal)
        let components = Table(
            ["COMPONENT", "KIND", "NAME", "TEAM", "ROLE", .init("SIZE", .trailing)],
            rows: report.components.map(\.row))
        if !components.isEmpty { text += "\n" + components.rendered(for: terminal) }
        let lines = report.warnings.map { warning(of: $0) } + report.problems
        if !lines.isEmpty {
            text += "\n" + lines.map { "\(terminal.styled("warning", .red)): \(printable($0))\n" }.joined()
        }
        return text
    }

    static func words(for deltas: [CatalogDelta]) -> String {
        deltas.map { "\($0.base) (\(byteCount($0.length)))" }.joined(separator: ", ")
    }

    static func json(of deltas: [CatalogDelta]) -> JSONText {
        deltas.map { JSONText(["from": $0.base, "size": $0.length]) }.json
    }

    static func json(of parts: [CatalogPart]) -> JSONText {
        parts.map { JSONText(["platform": $0.platform, "size": $0.length, "deltas": json(of: $0.deltas)]) }.json
    }

    static func warning(of role: CatalogReport.Role) -> String {
        if !role.isSigned { return "\"\(role.name)\" is not signed by enough of its keys" }
        let words = role.life == .expired ? "has expired since" : "expires at"
        return "\"\(role.name)\" \(words) \(role.expires); its keys must sign it again with \"bundletool renew\""
    }

    static func json(of role: CatalogReport.Role) -> JSONText {
        JSONText([
            "name": role.name, "version": role.version, "expires": "\(role.expires)", "life": role.life.rawValue,
            "signed": role.isSigned, "keys": role.keys, "threshold": role.threshold, "targets": role.targetCount,
            "size": role.size,
        ])
    }

    private static func json(of package: CatalogReport.Package) -> JSONText {
        let (identity, entry) = (package.identity, package.entry)
        return JSONText([
            "identifier": identity.identifier, "version": identity.version, "role": package.role,
            "team": entry?.team, "channel": entry?.channel, "rollout": entry?.rollout, "size": package.size,
            "deltas": json(of: entry?.deltas ?? []), "parts": json(of: entry?.parts ?? []),
            "revoked": package.revocation,
        ])
    }
}
