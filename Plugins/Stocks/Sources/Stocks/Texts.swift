// Generated from Resources/en.lproj/Localizable.json by "bundletool texts"; do not edit.
// swift-format-ignore-file
internal import PluginCore

/// The texts of the plugin in the user's language.
struct Texts: Sendable {
    private let _resources: BundleResources

    init(_ resources: BundleResources) { _resources = resources }

    var listAdd: String { _resources.string("list.add") }
    var listEmpty: String { _resources.string("list.empty") }
    var listFirst: String { _resources.string("list.first") }
    func listRemove(_ value1: any Sendable) -> String { _resources.string("list.remove", value1) }
    var listSymbol: String { _resources.string("list.symbol") }
    var listTitle: String { _resources.string("list.title") }
    var listUnreadable: String { _resources.string("list.unreadable") }
}

extension BundleContext {
    /// The texts of the plugin in the user's language.
    var texts: Texts { Texts(resources) }
}
