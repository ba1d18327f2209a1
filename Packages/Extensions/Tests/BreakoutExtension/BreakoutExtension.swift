internal import CBreakout
internal import PluginCore
internal import PluginExtension

/// Returns the extension's description; this is the only symbol that the extension's process looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: BreakoutExtension.self) }

/// An extension that tries to break out of the process in which a host runs it.
///
/// The input has the index of an attempt and its targets; without an attempt, the output is the path of the extension's own container.
final class BreakoutExtension: ExtensionDelegate {
    static let point = ExtensionPoint<[String: String], String>("com.example.breakout")
    private let container: FilePath

    init(environment: ExtensionEnvironment) {
        container = environment.container.root
    }

    func beginRequest(_ input: [String: String], in context: ExtensionContext<String>) throws {
        try context.completeRequest(returning: input["attempt"].map { attempt($0, input) } ?? container.string)
    }

    private func attempt(_ index: String, _ input: [String: String]) -> String {
        guard let attempt = breakout_attempt_at(Int32(index) ?? -1)?.pointee else { return "no such attempt" }
        var targets = breakout_targets()
        for (name, value) in input { breakout_set(&targets, name, value) }
        let number = attempt.run(&targets)
        return number == 0 ? "escaped" : "refused " + String(cString: breakout_error_name(number))
    }
}
