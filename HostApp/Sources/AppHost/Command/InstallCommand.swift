import BundleFormat
import Console
import Doctor
import PluginCore
import PluginRuntime
import Registry

/// The `hostapp install` command.
let installCommand = HostCommand(
    "install",
    arguments: [
        .repeated("ID[@VERSION]|PACKAGE", atLeastOne: true, kind: .either([.host(.offered), .file(ending: ".zip")]))
    ], options: [.flag("stage"), .flag("no-way-back"), .flag("dry-run")]
) { call in
    let words = call.parsed.arguments("ID[@VERSION]|PACKAGE")
    var requests: [ChangeRequest] = []
    var packages: [CatalogPackage] = []
    for word in words {
        if word.hasSuffix(".zip") {
            let package = try PackageFile(path: call.resolve(word)).offered(converters: call.manager.offers.converters)
            requests.append(.install(package.manifest.identifier, package.manifest.version))
            packages.append(package)
        } else {
            let alternative = localized("or a path that ends with .zip")
            let (identifier, version) = try call.bundle(
                word, as: "ID[@VERSION]|PACKAGE", hostText("packageExpected", alternative)
            ) { SemanticVersion($0) }
            requests.append(.install(try call.identifier(identifier), version))
        }
    }
    let (manager, isStaged) = (call.manager, call.flag("stage"))
    if call.flag("dry-run") {
        return try await manager.transactions.install.preview(requests, offering: packages, staging: isStaged).answer()
    }
    let reports = try await manager.change(
        requests, offering: packages, staging: isStaged, keepingWayBack: !call.flag("no-way-back"))
    let lines = try reports.map { try installedLine(for: $0, in: manager.registry) + $0.permissionLines }
    let members = reports.json(single: words.count == 1) + ["permissions": reports.permissionsJSON]
    return Answer(text: lines.joined(), json: members)
}

extension InstallReport {
    /// A line for each permission that the version before did not have.
    var permissionLines: String {
        newPermissions.lines(about: bundle.name)
    }
}

extension [BundlePermission] {
    /// Returns a line for each permission of a bundle.
    fileprivate func lines(about bundle: String) -> String {
        map { localized("  Permission \($0.rawValue): \(printable(bundle)) \($0.words).\n") }.joined()
    }
}

extension [InstallReport] {
    /// Returns the members of one JSON document for all reports, or for a single request its report and those of its dependencies.
    func json(single isSingle: Bool) -> JSONText {
        guard isSingle, let first else { return ["bundles": self.map(\.json)] }
        return first.json + ["with": dropFirst().map(\.json)]
    }

    /// The permissions that the versions before did not have, for scripts.
    var permissionsJSON: [JSONText] {
        flatMap { report -> [JSONText] in
            let identifier = report.identifier
            return report.newPermissions.map { ["identifier": identifier, "permission": $0.rawValue] }
        }
    }
}

/// Returns the line about one installed bundle.
func installedLine(for report: InstallReport, in registry: Registry) throws -> String {
    let identity = report.identity
    if report.isStaged { return stagedLine(for: report) }
    guard report.isChange else { return localized("\(identity) is already installed.\n") }
    let unstaged = report.unstaged.map { localized("; \($0.version) is no longer staged") } ?? ""
    let installed = try registry.active.bundle(identity.identifier)
    if report.isRepaired {
        let isSame = report.before?.seal.keyID == report.bundle.seal.keyID
        let why = isSame ? localized("it did not match its seal") : localized("it is now signed with another key")
        let kept = installed?.previous == report.bundle ? localized(", and is kept to roll back to") : ""
        return localized("Reinstalled \(identity); \(why)\(kept)\(unstaged).\n")
    }
    if !unstaged.isEmpty { return localized("\(identity) is already installed\(unstaged).\n") }
    // The rollback target is not always the replaced version: a version that has never run here is not one.
    guard let kept = installed?.previous else { return localized("Installed \(identity).\n") }
    let end = installed?.endOfRollbackTarget.map { localized(" until \($0) has run") } ?? ""
    return localized("Installed \(identity); \(kept.version) is kept to roll back to\(end).\n")
}

/// Returns the message about a staged version.
func stagedLine(for report: InstallReport) -> String {
    if report.waitsForData {
        let identity = report.identity
        return hostText("stagedForData", identity, report.before?.version.description ?? "-")
    }
    return hostText(report.isChange ? "staged" : "alreadyStaged", report.identity)
}

extension InstallPreview {
    /// Returns the answer of a command with `--dry-run`.
    ///
    /// - Parameter revoked: The installed versions that an update would block.
    func answer(revoked: [(revoked: BundleIdentity, reason: String)] = []) -> Answer {
        var lines = revoked.map { hostText("wouldBlock", $0.revoked, printable($0.reason)) }
        lines += changes.map(\.text)
        lines += repairs.map { localized("Would reinstall \($0.identity).\n") }
        lines += unstaged.map { localized("Would no longer stage \($0.identity).\n") }
        lines += skippedVersions.map {
            localized("\($0.identity) is skipped: \(printable($0.error.report.message)).\n")
        }
        let size = changes.compactMap(\.downloadSize).reduce(0, +)
        if size > 0 { lines.append(localized("\(byteCount(Int(size))) would be downloaded, or less by deltas.\n")) }
        if isEmpty, revoked.isEmpty { lines.append(localized("Nothing would change.\n")) }
        return Answer(
            text: lines.joined(),
            json: [
                "dryRun": true, "steps": changes.map(\.json), "downloadSize": Int(size),
                "repairs": repairs.map(\.identity),
                "unstaged": unstaged.map(\.identity), "revoked": revoked.map(\.revoked),
                "skipped": skippedVersions.map(\.failureJSON),
            ])
    }
}

extension ResolvedChange.Step {
    /// Returns the line about the change.
    ///
    /// - Parameter size: the words about its download.
    func line(_ size: String = "") -> String {
        switch (from, to) {
        case (let from?, let to?): localized("Would update \(identifier) from \(from) to \(to)\(size).\n")
        case (nil, let to?): localized("Would install \(identifier)@\(to)\(size).\n")
        case (_, nil): localized("Would remove \(identifier).\n")
        }
    }

    /// The bundle with its versions before and after.
    var json: JSONText { ["identifier": identifier, "from": from, "to": to] }
}

extension InstallPreview.Change {
    /// A line for the change, and one for each new permission.
    fileprivate var text: String {
        let size = downloadSize.map { localized(" (\(byteCount(Int($0))) to download)") } ?? ""
        return step.line(size) + newPermissions.lines(about: name ?? step.identifier.text)
    }

    var json: JSONText {
        step.json + [
            "downloadSize": downloadSize.map { Int($0) }, "permissions": newPermissions.map(\.rawValue),
        ]
    }
}
