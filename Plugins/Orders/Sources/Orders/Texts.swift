// Generated from Resources/en.lproj/Localizable.json by "bundletool texts"; do not edit.
// swift-format-ignore-file
internal import PluginCore

/// The texts of the plugin in the user's language.
struct Texts: Sendable {
    private let _resources: BundleResources

    init(_ resources: BundleResources) { _resources = resources }

    var helpCancel: String { _resources.string("help.cancel") }
    var helpCancelText: String { _resources.string("help.cancelText") }
    var helpList: String { _resources.string("help.list") }
    var helpText: String { _resources.string("help.text") }
    var helpTitle: String { _resources.string("help.title") }
    var listEmpty: String { _resources.string("list.empty") }
    var listHelp: String { _resources.string("list.help") }
    func listSummary(_ value1: any Sendable, _ value2: any Sendable) -> String { _resources.string("list.summary", value1, value2) }
    var listTitle: String { _resources.string("list.title") }
    var listUnreadable: String { _resources.string("list.unreadable") }
    var orderCancel: String { _resources.string("order.cancel") }
    func orderCanceled(_ value1: any Sendable) -> String { _resources.string("order.canceled", value1) }
    var orderItem: String { _resources.string("order.item") }
    var orderPrice: String { _resources.string("order.price") }
    var orderState: String { _resources.string("order.state") }
    func orderTitle(_ value1: any Sendable) -> String { _resources.string("order.title", value1) }
    var stateCanceled: String { _resources.string("state.canceled") }
    var statePlaced: String { _resources.string("state.placed") }
}

extension BundleContext {
    /// The texts of the plugin in the user's language.
    var texts: Texts { Texts(resources) }
}
