import Console
import PluginCore
import PluginRuntime

/// The option that forbids installs on demand for one run.
let noInstallOption = Command.Option.flag(
    "no-install", help: "Do not install plugins on demand.")

extension HostCall {
    /// The rule for installing plugins that an address or a call needs.
    ///
    /// The command-line option overrides `bundle.json`. The user is asked only on a terminal, and never with `--json`.
    func onDemandPolicy(in composition: Composition) -> OnDemandPolicy {
        if parsed.flag("no-install") { return OnDemandPolicy(rule: .never, from: "--no-install") }
        let source = localized("\"installOnDemand\": \"\(composition.installOnDemand.rawValue)\" in bundle.json")
        guard !isJSON, TerminalQuestion.isPossible else {
            return OnDemandPolicy(rule: composition.installOnDemand, from: source)
        }
        return OnDemandPolicy(rule: composition.installOnDemand, from: source) { question in
            await TerminalQuestion.answer(question.words)
        }
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
            case (true, false): localized("Install \(bundle), which was uninstalled by name, with \(list)?")
            }
        return wanted.joined() + question
    }
}
