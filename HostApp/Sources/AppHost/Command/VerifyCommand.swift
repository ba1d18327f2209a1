import BundleFormat
import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp verify` command.
let verifyCommand = HostCommand(
    description: Command(
        "verify", summary: "Check the installed plugins against their seals.",
        discussion: """
            Reads every file of every active or staged version and rollback target, and checks that its signer is \
            still trusted. Exits with status 77 if anything is wrong; otherwise with 74 if anything cannot be read.
            """,
        arguments: [.repeated("ID", kind: .item(.installed), help: "Only these plugins.")],
        examples: [Command.Example("hostapp verify --json", "for a script")]
    )
) { call in
    let identifiers = try call.installed(in: "ID")
    let verified = try call.manager.transactions.maintenance.verify(identifiers.isEmpty ? nil : identifiers)
    var text = verified.isEmpty ? localized("Nothing is installed.\n") : ""
    for version in verified {
        if version.findings.isEmpty {
            text += localized("\(version.bundle.identity) matches the seal of \(version.bundle.seal.team).\n")
        } else {
            let isUnread = version.findings.allSatisfy(\.isUnread)
            text +=
                isUnread
                ? localized("\(version.bundle.identity) cannot be read:\n")
                : localized("\(version.bundle.identity) failed verification:\n")
            for finding in version.findings {
                text += "  \(printable(finding.problem.sentence)) (\(finding.code.name))\n"
            }
        }
    }
    let isSound = verified.allSatisfy(\.findings.isEmpty)
    let isUnread = verified.flatMap(\.findings).allSatisfy(\.isUnread)
    return Answer(
        text: text,
        json: ["sound": .bool(isSound), "versions": .array(verified.map(\.json))],
        status: isSound ? .done : isUnread ? .ioError : .refused
    )
}

extension VerifiedVersion {
    fileprivate var json: JSONText {
        .object(
            bundle.jsonMembers + [
                (
                    "findings",
                    .array(
                        findings.map {
                            [
                                "code": .string($0.code.name), "path": .string(orNull: $0.path),
                                "what": .string($0.reason.sentence),
                            ]
                        })
                )
            ]
        )
    }
}
