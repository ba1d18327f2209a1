import PluginRuntime

extension [OutsideChange] {
    /// What the user is told of bundles in use that another process has changed: one line.
    var notice: String {
        let parts = map { change in
            change.now.map { "\(change.identifier) is \($0) now" } ?? "\(change.identifier) was removed"
        }
        return parts.joined(separator: ", ")
    }
}
