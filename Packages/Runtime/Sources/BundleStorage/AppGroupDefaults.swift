internal import HostSystem
internal import PluginCore

/// The defaults of an app group: a file that all members of the group share.
struct AppGroupDefaults: DefaultsStore {
    private let layout: AppGroupLayout
    private let file: DefaultsFile

    init(_ layout: AppGroupLayout, report: @escaping @Sendable (AtriumError) -> Void) {
        self.layout = layout
        file = DefaultsFile(
            in: BundleContainer(root: layout.root), lockedBy: layout.coordination.appending("defaults"), report: report)
    }

    func values() throws -> DefaultsValues {
        try prepare()
        return try file.values()
    }

    func change(_ body: (inout DefaultsValues) throws -> Void) throws {
        try prepare()
        try file.change(body)
    }

    /// Creates the folders if necessary, and throws an error if one of them is a link.
    private func prepare() throws { _ = try layout.library().making(EntryName("Coordination")) }
}

extension AppGroupDefaults: CustomReflectable {
    /// An empty mirror, because plugins have the store.
    var customMirror: Mirror { Mirror(self, children: []) }
}
