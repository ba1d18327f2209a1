import Registry
import Console
import Dispatch
import PluginCatalog
import PluginCore
import PluginIsolation
import PluginRuntime

/// The `hostapp shell` command.
let shellCommand = HostCommand(
    "shell", arguments: [.optional("URL", kind: .host(.address))],
    options: [.flag("no-install"), .flag("isolate"), .value("system-links", placeholder: "RULE"), .flag("follow")]
) { call in
    guard !call.isJSON else {
        // A session has no defined end at which one JSON document could be printed; `open --json` reports the same steps.
        throw UsageError(.unknownOption, subject: "--json", command: ["hostapp", "shell"])
    }
    let composed = try await call.sessionComposition()
    let start = try (call.parsed.argument("URL") ?? composed.start).map { try ResourceURI($0) }
    let transcript = Transcript(call)
    return try await call.inSession(composed, onNotice: transcript.notice) { session in
        let stack = session.stack
        let shell = Shell(call, session, transcript)
        let follows = call.flag("follow")
        call.manager.liveUpdates.observer = { [weak shell] changes in
            stack.show(notice: changes.notice)
            if follows, changes.contains(where: { $0.now != nil }) { shell?.openAgain(else: start) }
        }
        try await shell.run(from: start)
        return nil
    }
}

extension [OutsideChange] {
    /// The notice about bundles in use that another process has changed, in one line.
    var notice: String {
        let parts = map { change in
            change.now.map { localized("\(change.identifier) is now \($0)") }
                ?? localized("\(change.identifier) was removed")
        }
        return parts.joined(separator: ", ")
    }
}

extension HostCall {
    /// The rule for installing plugins that an address or a call needs.
    ///
    /// The command-line option overrides `bundle.json`. The user is asked only on a terminal, and never with `--json`.
    func onDemandPolicy(in composition: ComposedRoutes) -> OnDemandPolicy {
        if parsed.flag("no-install") { return OnDemandPolicy(rule: .never, from: "--no-install") }
        let source = localized("\"installOnDemand\": \"\(composition.installOnDemand.rawValue)\" in bundle.json")
        let ask: @Sendable (OnDemandPolicy.Question) async -> Bool = { await TerminalQuestion.answer($0.words) }
        return OnDemandPolicy(rule: composition.installOnDemand, from: source, ask: canAsk ? ask : nil)
    }

    /// A Boolean value that indicates whether the user can be asked on the terminal.
    var canAsk: Bool { !isJSON && TerminalQuestion.isPossible }

    /// The settings for plugins that run in processes of their own.
    ///
    /// A plugin runs in its own process if its manifest says so, its team is in `isolatedTeams` of the app's `bundle.json`, or the command has
    /// `--isolate`.
    func isolation(in composition: ComposedRoutes?) -> IsolationSettings {
        var settings = IsolationSettings(runner: environment.extensionRunner) { ended in
            EndedPageTexts(
                content: [localized("\(Failure(ended.error).report.message).")],
                restart: localized("Start \(ended.name) again"))
        }
        let (isolatesAll, teams) = (parsed.flag("isolate"), composition?.isolatedTeams ?? [])
        settings.policy = { bundle in
            isolatesAll || teams.contains("*") || teams.contains(bundle.seal.team) ? .process : bundle.isolation
        }
        return settings
    }
}

extension OnDemandPolicy.Question {
    /// The question as the user reads it.
    ///
    /// For example `Install com.example.app.shop@1.0.0, which was uninstalled by name, with com.example.lib.money@1.0.0?`, after a line for
    /// each permission.
    var words: String {
        let isUninstalled = uninstalled.contains(bundle.identifier)
        let others = others.map { other in
            uninstalled.contains(other.identifier)
                ? localized("\(other) (uninstalled by name)") : other.description
        }
        let wanted = ([bundle] + self.others).flatMap { version in
            (permissions[version.identifier] ?? []).map { permission in
                localized("Permission \(permission.rawValue): \(version.identifier) \(permission.words).\n")
            }
        }
        let list = others.joined(separator: ", ")
        let question =
            switch (isUninstalled, others.isEmpty) {
            case (false, true): localized("Install \(bundle)?")
            case (false, false): localized("Install \(bundle) with \(list)?")
            case (true, true): localized("Install \(bundle), which was uninstalled by name?")
            case (true, false): hostText("reinstallWith", bundle, list)
            }
        return wanted.joined() + question
    }
}

extension TerminalQuestion {
    /// Asks a question without blocking a thread of the concurrency pool, because a user may take any time to answer.
    ///
    /// - Returns: As ``confirm(_:while:)``; `false` when the calling task is canceled.
    static func answer(_ question: String) async -> Bool {
        let cancellations = InterruptCount()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "question").async {
                    continuation.resume(returning: confirm(question) { cancellations.isZero })
                }
            }
        } onCancel: {
            _ = cancellations.add()
        }
    }
}
