import Console
import PluginCore
import PluginRuntime

/// `hostapp install`
let installCommand = HostCommand(
    description: Command(
        "install", summary: "Install a plugin from the catalog.",
        discussion: """
            Takes the newest version unless one is named. What is installed is switched in one step: whatever interrupts \
            it, the version before or the new one is there, whole.
            """,
        arguments: [.required("ID[@VERSION]", help: "The plugin's identifier, and a version if not the newest.")],
        examples: [
            Command.Example("hostapp install com.example.app.shop"),
            Command.Example("hostapp install com.example.app.shop@1.0.0"),
        ]
    )
) { call in
    let (identifier, version) = try bundle(call.parsed.argument("ID[@VERSION]") ?? "")
    let report = try await call.manager.install(identifier, version: version)
    return Answer(text: installed(report), json: report.json)
}

/// What `ID[@VERSION]` stands for.
private func bundle(_ word: String) throws(UsageError) -> (identifier: String, version: SemanticVersion?) {
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let version = parts.count == 2 ? SemanticVersion(parts[1]) : nil
    guard let identifier = parts.first, !identifier.isEmpty, parts.count == 1 || version != nil else {
        throw UsageError(
            .invalidValue, subject: "<ID[@VERSION]>",
            expected: ["an identifier, or identifier and version such as com.example.app.shop@1.0.0"],
            command: ["hostapp", "install"], value: word
        )
    }
    return (identifier, version)
}

private func installed(_ report: InstallReport) -> String {
    guard report.isChange else { return "\(report.bundle.identity) is installed already.\n" }
    guard let before = report.before else { return "Installed \(report.bundle.identity).\n" }
    return "Installed \(report.bundle.identity); \(before.identity.version) is kept to roll back to.\n"
}
