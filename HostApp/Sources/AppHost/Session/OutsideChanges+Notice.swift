import Console
import PluginRuntime

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
