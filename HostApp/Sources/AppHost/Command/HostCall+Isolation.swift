import Console
import PluginCore
import PluginIsolation
import PluginRuntime
import Registry

/// The option that runs each plugin in a process of its own for one run.
let isolateOption = Command.Option.flag(
    "isolate", help: "Run each plugin in a process of its own.")

extension HostCall {
    /// The settings for plugins that run in processes of their own.
    ///
    /// A plugin runs in its own process if its manifest says so, its team is in `isolatedTeams` of the app's `bundle.json`, or the command has
    /// `--isolate`.
    func isolation(in composition: Composition?) -> IsolationSettings {
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
