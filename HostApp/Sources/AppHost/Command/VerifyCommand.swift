import BundleFormat
import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp verify` command.
let verifyCommand = HostCommand(
    description: Command(
        "verify", summary: "Hold what is installed against what its teams sealed.",
        discussion: """
            Reads every file of every version that is active, kept to roll back to, or staged; and asks whether who signed it is \
            still trusted. Ends with status 77 when anything is wrong, and with 74 when nothing is but that something cannot be read.
            """,
        arguments: [.repeated("ID", help: "Only these plugins.")],
        examples: [Command.Example("hostapp verify --json", "for a script")]
    )
) { call in
    let identifiers = call.parsed.arguments("ID")
    let verified = try await call.manager.verify(identifiers.isEmpty ? nil : identifiers)
    var text = verified.isEmpty ? "Nothing is installed.\n" : ""
    for version in verified {
        if version.findings.isEmpty {
            text += "\(version.bundle.identity) is as \(version.bundle.seal.team) sealed it.\n"
        } else {
            let isUnread = version.findings.allSatisfy(\.isUnread)
            text += "\(version.bundle.identity) \(isUnread ? "cannot be read" : "is not sound"):\n"
            for finding in version.findings { text += "  \(printable(finding.sentence)) (\(finding.code.name))\n" }
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
                                "what": .string($0.what),
                            ]
                        })
                )
            ]
        )
    }
}
