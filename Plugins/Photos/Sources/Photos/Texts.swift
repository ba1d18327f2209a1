// Generated from Resources/en.lproj/Localizable.json by "bundletool texts"; do not edit.
// swift-format-ignore-file
internal import PluginCore

/// The texts of the plugin in the user's language.
struct Texts: Sendable {
    private let _resources: BundleResources

    init(_ resources: BundleResources) { _resources = resources }

    var editorDone: String { _resources.string("editor.done") }
    var editorGray: String { _resources.string("editor.gray") }
    func editorIsColored(_ value1: any Sendable) -> String { _resources.string("editor.isColored", value1) }
    func editorIsGray(_ value1: any Sendable) -> String { _resources.string("editor.isGray", value1) }
    var editorRotate: String { _resources.string("editor.rotate") }
    var editorTooLarge: String { _resources.string("editor.tooLarge") }
    var listAddSample: String { _resources.string("list.addSample") }
    var listEmpty: String { _resources.string("list.empty") }
    func listSize(_ value1: any Sendable, _ value2: any Sendable) -> String { _resources.string("list.size", value1, value2) }
    var listTitle: String { _resources.string("list.title") }
    var listUnreadable: String { _resources.string("list.unreadable") }
    var pictureDamaged: String { _resources.string("picture.damaged") }
    var pictureFile: String { _resources.string("picture.file") }
    var pictureSize: String { _resources.string("picture.size") }
}

extension BundleContext {
    /// The texts of the plugin in the user's language.
    var texts: Texts { Texts(resources) }
}
