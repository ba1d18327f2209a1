import Resolver
import PluginRuntime
import BundleFormat
import Registry
import ConfinementReporting
import Console
import Doctor
import PluginCore
import Preflight

/// The `hostapp doctor` command.
let doctorCommand = HostCommand(
    "doctor",
    options: [
        .flag("fix"), .flag("yes"), .flag("dry-run"), .flag("rebuild"),
        .value("for-host", placeholder: "FILE", kind: .file), .flag("describe-host"),
    ]
) { call in
    let modes = ["rebuild", "describe-host", "for-host"].filter { call.parsed.count($0) > 0 }
    let others = modes.dropFirst() + ["fix", "dry-run"].filter { call.flag($0) }
    if let mode = modes.first, let other = others.first { throw call.parsed.conflict(mode, other) }
    if call.flag("yes"), !call.flag("fix"), !call.flag("dry-run") {
        throw call.parsed.missing("--fix", adding: "--fix --yes")
    }
    if call.flag("describe-host") {
        let own = HostConfiguration.current
        let host = HostDescription(ofThisHost: "\(own.name) \(own.version)", offering: own.libraries)
        let json: JSONText = [
            "formatVersion": host.formatVersion, "host": host.host, "coreABI": Int(host.coreABI),
            "compiler": host.compiler, "platform": host.platform, "libraries": host.libraries,
        ]
        return Answer(text: json.text(pretty: true) + "\n", json: json)
    }
    if let file = try call.value("for-host").map(call.resolve) {
        let host = try HostDescription(reading: InputFile.content(of: file), of: file.string)
        let check = LibraryPreflight(for: host)
        return call.answer(about: try Checkup(of: call.manager).findings(for: host.host, by: check))
    }
    if call.flag("rebuild") {
        let report = try await RegistryRebuild(of: call.manager).run()
        var text = ""
        if let old = report.oldRegistry { text += localized("The old registry was moved to \(old.string).\n") }
        text += report.active.map { localized("\($0.identity) is active.\n") }.joined()
        text += report.staged.map { localized("\($0.identity) is staged.\n") }.joined()
        text += report.leftOut.map { localized("Left out \($0.path.string): \(printable($0.reason.sentence)).\n") }
            .joined()
        if report.active.isEmpty, report.staged.isEmpty { text += localized("Nothing is installed.\n") }
        return Answer(
            text: text,
            json: [
                "oldRegistry": report.oldRegistry, "active": report.active.map(\.json),
                "staged": report.staged.map(\.json),
                "leftOut": report.leftOut.map { ["path": $0.path, "reason": $0.reason.sentence] as JSONText },
            ])
    }
    let findings = await checked(call)
    if call.flag("dry-run") { return RemedyRound(call, findings).plan }
    guard call.flag("fix") else { return call.answer(about: findings) }
    return try await RemedyRound(call, findings).run()
}

/// Makes all checks of the call's sandbox and of its composition.
@MainActor
func checked(_ call: HostCall) async -> [CheckupFinding] {
    // The checks of a catalog on a server need its newest state, and its answers about the bundles of the app.
    let members = (try? call.app.members().map(\.identifier)) ?? []
    _ = try? await call.manager.search { offers in
        var failure: AtriumError?
        for member in members {
            // All are asked before the first error, so that the answers are fetched together.
            do throws(AtriumError) { _ = try offers.catalog.versions(of: member) } catch { failure = failure ?? error }
        }
        try offers.catalog.requireReachable()
        if let failure { throw failure }
    }
    return Checkup(of: call.manager).findings(
        of: { () throws(AtriumError) in
            let own = try call.app.own().composed
            let composed = try call.composition()
            let dead = try ComposedDirectory(composed: composed, registry: call.registry)
                .deadRules(in: call.sandbox)
            let named = composed.bundles.map { member in
                let problems = dead.filter { $0.rule.owner == member.pkg }.map(\.reason)
                return ComposedBundle(member.pkg, versions: member.versions, ruleProblems: problems)
            }
            let theme = composed.theme.flatMap { theme in
                named.contains { $0.identifier == theme } ? nil : ComposedBundle(theme)
            }
            return named + [theme, own.bundle.map { ComposedBundle($0.text) }].compactMap(\.self)
        },
        adding: ConfinementReport.ofThisKernel().findings,
        whenWaiting: { StandardOutput.note(hostText("registryWait")) })
}

extension ConfinementReport {
    /// A finding for each reason why the kernel does not confine extensions fully, or one with the full level.
    var findings: [CheckupFinding] {
        let full = ErrorReason.Value.integer(Self.fullLandlockVersion)
        let newest = ErrorReason("newerKernel", ["version": full])
        let older = ErrorReason("landlockOlder", ["version": .integer(landlockVersion), "full": full])
        let isOlder = 1..<Self.fullLandlockVersion ~= landlockVersion
        let gaps: [(isOpen: Bool, what: ErrorReason, advice: ErrorReason)] = [
            (isLandlockDisabled, ErrorReason("landlockDisabled"), ErrorReason("enableLandlock")),
            (!isLandlockDisabled && landlockVersion == 0, ErrorReason("landlockMissing"), newest),
            (!isLandlockDisabled && isOlder, older, newest),
            (!hasFilter, ErrorReason("filtersMissing"), ErrorReason("enableFilters")),
        ]
        let notices = gaps.filter { $0.isOpen }.map {
            CheckupFinding(.confinement, .notice, self, $0.what, remedy: .advice($0.advice))
        }
        return notices.isEmpty
            ? [CheckupFinding(.confinement, .fine, self, ErrorReason("confinementFull"))] : notices
    }
}

extension HostCall {
    /// Returns the answer that lists findings.
    ///
    /// - Parameter repairs: The text and the JSON members about remedies that were run before.
    func answer(
        about findings: [CheckupFinding], after repairs: (text: String, members: JSONText) = ("", [:])
    ) -> Answer {
        let isWrong = findings.contains { $0.severity == .wrong }
        let table = Table(
            ["CHECK", "FINDING", "ABOUT", "WHAT", "REMEDY"],
            rows: findings.map {
                [
                    localized(key: $0.check.rawValue), localized(key: $0.severity.rawValue),
                    $0.subject.isEmpty ? nil : $0.subject, $0.what.sentence, $0.remedyText,
                ]
            })
        return Answer(
            text: repairs.text + text(of: table),
            json: repairs.members + [
                "sound": !isWrong, "confinement": ConfinementReport.ofThisKernel().description,
                "findings": findings.map(\.json),
            ], status: isWrong ? .refused : .done)
    }
}

extension CheckupFinding {
    /// The remedy as people read it.
    var remedyText: String? { (remedy?.sentence).map(HostConfiguration.current.naming) }

    var json: JSONText {
        [
            "check": check.rawValue, "finding": severity.rawValue, "subject": subject,
            "what": what.sentence, "remedy": remedyText,
        ]
    }
}

/// The `hostapp verify` command.
let verifyCommand = HostCommand("verify", arguments: [.repeated("ID", kind: .host(.installed))]) { call in
    let identifiers = try call.installed(in: "ID")
    let verified = try call.transactions.maintenance.verify(identifiers.isEmpty ? nil : identifiers)
    let lines = verified.map { version in
        let (identity, findings) = (version.bundle.identity, version.findings)
        if findings.isEmpty { return localized("\(identity) matches the seal of \(version.bundle.seal.team).\n") }
        let heading =
            findings.allSatisfy(\.isUnread)
            ? localized("\(identity) cannot be read:\n") : localized("\(identity) failed verification:\n")
        return heading + findings.map { "  \(printable($0.problem.sentence)) (\($0.code.name))\n" }.joined()
    }
    let isSound = verified.allSatisfy(\.findings.isEmpty)
    let isUnread = verified.flatMap(\.findings).allSatisfy(\.isUnread)
    return Answer(
        text: verified.isEmpty ? localized("Nothing is installed.\n") : lines.joined(),
        json: ["sound": isSound, "versions": verified.map(\.json)],
        status: isSound ? .done : isUnread ? .ioError : .refused
    )
}

extension VerifiedVersion {
    var json: JSONText {
        let findings: [JSONText] = findings.map { ["code": $0.code.name, "path": $0.path, "what": $0.reason.sentence] }
        return bundle.json + ["findings": findings]
    }
}
