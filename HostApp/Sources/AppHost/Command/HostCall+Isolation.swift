import Console
import PluginCore
import PluginRuntime
import Registry

/// The option that runs each plugin in a process of its own for one run.
let isolateOption = Command.Option.flag(
    "isolate", help: "Run each plugin in a process of its own.")

extension HostCall {
    /// The settings for plugins that run in processes of their own.
    ///
    /// Such a plugin asks for it in its manifest, belongs to a team that `bundle.json` isolates, or runs in a call with `--isolate`.
    func isolation(in composition: Composition?) -> IsolationSettings {
        var settings = IsolationSettings(runner: environment.extensionRunner) { ended in
            EndedPageTexts(content: [Failure(ended.error).report.message + "."], restart: "Start \(ended.name) again")
        }
        let (isolatesAll, teams) = (parsed.flag("isolate"), composition?.isolatedTeams ?? [])
        settings.choose = { bundle in
            isolatesAll || teams.contains("*") || teams.contains(bundle.seal.team) ? .process : bundle.isolation
        }
        return settings
    }
}
