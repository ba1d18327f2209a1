import Glibc
internal import PluginCore
internal import PluginExtension

/// Returns the extension's description; this is the only symbol that the extension's process looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: TrialExtension.self) }

/// An extension that returns its input, or ends its process in the way that the input names.
final class TrialExtension: ExtensionDelegate {
    static let point = ExtensionPoint<String, String>("com.benchmark.trial")

    init(environment: ExtensionEnvironment) {}

    func beginRequest(_ input: String, in context: ExtensionContext<String>) throws {
        switch input {
        case "crash": abort()
        case "exit": _exit(3)
        case "hang": while true { pause() }
        case "memory":
            var filled: [[UInt8]] = []
            while true { filled.append([UInt8](repeating: 1, count: 1 << 20)) }
        case "size":
            let attachment = context.items.first?.attachments.first
            try context.completeRequest(returning: "\(attachment?.size ?? 0)")
        default: try context.completeRequest(returning: input)
        }
    }
}
