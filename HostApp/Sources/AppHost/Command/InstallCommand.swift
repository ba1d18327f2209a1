import BundleFormat
import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp install` command.
let installCommand = HostCommand(
    description: Command(
        "install", summary: "Install plugins, with what they require.",
        discussion: """
            From the catalog the newest version is taken that goes together with what is installed, unless one is named; a \
            file is taken as it is. Several plugins, and what they require, come together or not at all. What is active is \
            switched in one step: whatever interrupts it, the versions before or the new ones are there, whole. Who names the \
            version that is active takes back what is staged to take its place. A version that is active, or named and kept to \
            roll back to, is put in its place anew when it is damaged or its signature is not believed any more.
            """,
        arguments: [
            .repeated(
                "ID[@VERSION]|PACKAGE", atLeastOne: true,
                help: "An identifier, with a version if not the newest; or the path of a package, which ends with .zip."
            )
        ],
        options: [stageOption],
        examples: [
            Command.Example("hostapp install com.example.app.shop"),
            Command.Example("hostapp install com.example.app.shop@1.0.0"),
            Command.Example("hostapp install ./com.example.app.shop-1.1.0.zip", "a package that lies anywhere"),
        ]
    )
) { call in
    let words = call.parsed.arguments("ID[@VERSION]|PACKAGE")
    var requests: [InstallRequest] = []
    var packages: [CatalogPackage] = []
    for word in words {
        if word.hasSuffix(".zip") {
            let package = try PackageFile(path: call.resolve(word)).offered(converters: call.manager.converters)
            requests.append(.install(package.manifest.identity.identifier, package.manifest.identity.version))
            packages.append(package)
        } else {
            let (identifier, version) = try bundle(
                word, as: "<ID[@VERSION]|PACKAGE>", or: "or a path that ends with .zip", of: "install")
            requests.append(.install(identifier, version))
        }
    }
    let reports = try await call.manager.change(requests, offering: packages, staging: call.parsed.flag("stage"))
    let lines = try reports.map { try line(for: $0, in: call.manager.registry) }
    return Answer(text: lines.joined(), json: json(of: reports, single: words.count == 1))
}

/// The option that stages new versions until the next start.
let stageOption = Command.Option.flag(
    "stage", help: "Put the new versions in place, but make them active only when a host starts next.")

/// Returns one JSON document for all reports, or for a single request its report and those of its dependencies.
func json(of reports: [InstallReport], single isSingle: Bool) -> JSONText {
    guard isSingle, let first = reports.first else { return ["bundles": .array(reports.map(\.json))] }
    return .object(first.jsonMembers + [("with", .array(reports.dropFirst().map(\.json)))])
}

private func line(for report: InstallReport, in registry: Registry) throws -> String {
    let identity = report.bundle.identity
    if report.isStaged { return stagedLine(for: report) }
    guard report.isChange else { return "\(identity) is installed already.\n" }
    let unstaged = report.unstaged.map { "; \($0.identity.version) is staged no more" } ?? ""
    let installed = try registry.active.bundle(identity.identifier)
    if report.isRepaired {
        let isSame = report.before?.seal.keyID == report.bundle.seal.keyID
        let why = isSame ? "it was not as its team sealed it" : "it is signed with another key now"
        let kept = installed?.previous == report.bundle ? ", and is kept to roll back to" : ""
        return "Put \(identity) in its place anew; \(why)\(kept)\(unstaged).\n"
    }
    if !unstaged.isEmpty { return "\(identity) is installed already\(unstaged).\n" }
    // The rollback target is not always the replaced version: a version that has never run here is not one.
    guard let kept = installed?.previous else { return "Installed \(identity).\n" }
    let end = installed?.endOfRollbackTarget.map { " until \($0) has run" } ?? ""
    return "Installed \(identity); \(kept.identity.version) is kept to roll back to\(end).\n"
}

/// Returns the message about a staged version.
func stagedLine(for report: InstallReport) -> String {
    (report.isChange ? "Staged \(report.bundle.identity)" : "\(report.bundle.identity) is staged already")
        + "; it becomes active when a host starts next.\n"
}
