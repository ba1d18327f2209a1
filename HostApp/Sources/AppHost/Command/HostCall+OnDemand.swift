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
        let source = "\"installOnDemand\": \"\(composition.installOnDemand.rawValue)\" in bundle.json"
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
        let names = uninstalled.contains(bundle.identifier) ? ", which was uninstalled by name" : ""
        let others = others.map { other in
            other.description + (uninstalled.contains(other.identifier) ? " (uninstalled by name)" : "")
        }
        let wanted = ([bundle] + self.others).flatMap { version in
            (permissions[version.identifier] ?? []).map { permission in
                "Permission \(permission.rawValue): \(version.identifier) \(permission.words).\n"
            }
        }
        return wanted.joined() + "Install \(bundle)\(names)"
            + (others.isEmpty ? "" : "\(names.isEmpty ? "" : ",") with \(others.joined(separator: ", "))") + "?"
    }
}
