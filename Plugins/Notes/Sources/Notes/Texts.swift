// Generated from Resources/en.lproj/Localizable.json by "bundletool texts"; do not edit.
// swift-format-ignore-file
internal import PluginCore

/// The texts of the plugin in the user's language.
struct Texts: Sendable {
    private let _resources: BundleResources

    init(_ resources: BundleResources) { _resources = resources }

    var listAdd: String { _resources.string("list.add") }
    var listEmpty: String { _resources.string("list.empty") }
    var listText: String { _resources.string("list.text") }
    var listTitle: String { _resources.string("list.title") }
    var listUnreadable: String { _resources.string("list.unreadable") }
    var noteDelete: String { _resources.string("note.delete") }
    func noteDeleted(_ value1: any Sendable) -> String { _resources.string("note.deleted", value1) }
    func noteTitle(_ value1: any Sendable) -> String { _resources.string("note.title", value1) }
}

extension BundleContext {
    /// The texts of the plugin in the user's language.
    var texts: Texts { Texts(resources) }
}
