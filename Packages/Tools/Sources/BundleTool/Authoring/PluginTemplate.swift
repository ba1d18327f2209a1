import CatalogPublisher
import Console
import HostSystem
import PluginCore
import PluginLint

/// A new plugin that builds, passes its tests, and can be packed.
///
/// ```swift
/// let template = PluginTemplate(
///     name: "Hello", identifier: "org.example.hello", kind: .app, extensions: [], hasInterface: false)
/// for file in try template.files() { print(file.path) }     // Package.swift, manifest.json, Sources/Hello/Hello.swift, ...
/// ```
struct PluginTemplate {
    /// The name of the plugin's module and library, such as `Hello`.
    let name: String
    /// The identifier of the bundle.
    let identifier: BundleIdentifier
    /// The kind of the bundle.
    let kind: BundleKind
    /// The extensions that the plugin contains.
    let extensions: [TemplateExtension]
    /// A Boolean value that indicates whether other plugins call it, by the contracts of its Interface.
    let hasInterface: Bool
    /// A Boolean value that indicates whether it is part of a workspace, which has the files for all of its plugins.
    var isModule = false
    /// The plugin of the workspace that it calls.
    var neighbor: String?

    /// Returns whether a module can have a name: a Swift identifier of ASCII letters and digits that begins with a capital letter.
    ///
    /// The names of modules of Swift and of the SDK are reserved, and those of types that its sources could mean.
    static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil && !reservedTypes.contains(name) && !coreTypes.contains(name)
            && !InterfaceArchive.reservedModules.contains(name)
    }

    /// The names of Swift that a plugin uses, and of the types in the templates.
    private static let reservedTypes: Set<String> = [
        "Any", "Array", "Bool", "Character", "Data", "Date", "Dictionary", "Double", "Error", "Float", "HomePage",
        "Int", "MainActor", "Never", "Optional", "Protocol", "Result", "Self", "Sendable", "Set", "String", "Suite",
        "Task", "Test", "Texts", "Type", "UInt", "URL", "Void",
    ]

    /// The names of Core's types, as the SDK's textual interface has them.
    private static let coreTypes: Set<String> = {
        let file = (try? SDK.own().root)?.appending("modules/PluginCore.swiftinterface")
        let bytes = file.flatMap { try? Files.bytes(of: $0, limit: 1 << 22) } ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        return Set(
            text.matches(of: /\n\S.*\b(?:struct|class|enum|protocol|actor|typealias) (\w+)/).map { String($0.1) })
    }()

    /// Returns the team to which an identifier belongs: all of its labels but the last, or both if it has only two.
    ///
    /// A shorter one, such as `io.github`, would be a prefix of other teams' plugins, too.
    static func team(of identifier: String) -> String {
        let labels = identifier.split(separator: ".")
        return labels.prefix(max(2, labels.count - 1)).joined(separator: ".")
    }
}

// The file `plugin-template.txt` has all files of all kinds of plugins, and other Swift that the program writes.
//
// The line `=== PATH: FEATURES` begins a file that is for plugins with one of the features. `@if FEATURE@` keeps a line for those with a feature,
// `@each@` repeats it for each extension, and `@each,@` also writes a comma between the repetitions.
extension PluginTemplate {
    /// Returns all files.
    ///
    /// - Throws: ``AtriumError`` if the program is not complete.
    func files() throws -> [(path: String, content: String)] {
        let files: [(path: String, content: String)] = try Self.sections().compactMap { head, lines in
            guard let path = head.first, head[1...].joined().split(separator: " ").contains(where: hasFeature),
                !isModule || !path.hasPrefix(".") && path != "README.md"
            else { return nil }
            return (filled(path), lines.flatMap(written).joined(separator: "\n"))
        }
        guard kind == .app, let table = files.first(where: { $0.path == TextConstants.table }) else { return files }
        let texts = try StrictJSON.decode([String: String].self, from: Array(table.content.utf8))
        return files + [("Sources/\(name)/\(TextConstants.fileName)", TextConstants(of: texts).source)]
    }

    /// Returns a text of the file that belongs to no plugin, with the values of its names.
    static func text(_ name: String, _ values: [String: String]) throws -> String {
        let lines = try sections().first { $0.head.first == name[...] }?.lines ?? []
        return values.reduce(lines.joined(separator: "\n")) { $0.replacing("@\($1.key)@", with: $1.value) }
    }

    /// Returns the sections of a file of templates.
    static func sections(
        of file: String = "plugin-template.txt"
    ) throws -> [(head: [Substring], lines: ArraySlice<Substring>)] {
        let (_, bytes) = try NamedFile.shared(file, limit: 1 << 20)
        return ("\n" + String(decoding: bytes, as: UTF8.self)).split(separator: "\n=== ").map { section in
            let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
            return (lines[0].split(separator: ": "), lines.dropFirst())
        }
    }

    private func hasFeature(_ name: Substring) -> Bool {
        switch name {
        case "interface": hasInterface
        case "no-interface": !hasInterface
        case "interface-only": hasInterface && neighbor == nil
        case "neighbor": neighbor != nil
        case "no-neighbor": neighbor == nil
        case "extensions": !extensions.isEmpty
        case "no-extensions": extensions.isEmpty
        default: kind.rawValue == name || extensions.contains { $0.rawValue == name }
        }
    }

    /// Returns what a line of the file becomes.
    private func written(_ line: Substring) -> [String] {
        guard let match = line.wholeMatch(of: /@(if|each,?) ?([a-z-]*)@(.*)/) else { return [filled(line)] }
        if match.1 == "if" { return hasFeature(match.2) ? [filled(match.3)] : [] }
        return extensions.map { point in
            let values = [
                "MODULE": name + point.word, "WORD": point.word.lowercased(), "POINT": point.rawValue,
                "ACTIVATION": point.activation,
            ]
            return filled(match.3, values) + (match.1 == "each," && point != extensions.last ? "," : "")
        }
    }

    private func filled(_ text: Substring, _ more: [String: String] = [:]) -> String {
        let modules = [name] + extensions.map { name + $0.word }
        let values = [
            "NAME": name, "SEGMENT": name.lowercased(), "IDENTIFIER": identifier.text,
            "TEAM": Self.team(of: identifier.text), "ABI": "\(CoreVersion.abi)",
            "TESTED": modules.map { "\"\($0)\"" }.joined(separator: ", "), "NEIGHBOR": neighbor ?? "",
            "NEIGHBORSEGMENT": neighbor?.lowercased() ?? "", "TITLE": isModule ? name : "Hello",
            "TITEL": isModule ? name : "Hallo",
        ]
        return values.merging(more) { $1 }.reduce(String(text)) { $0.replacing("@\($1.key)@", with: $1.value) }
    }
}

/// An extension point for which a template has an extension.
enum TemplateExtension: String, CaseIterable {
    case today, share, action, keyboard
    case photoEditing = "photo-editing"
    case documentProvider = "document-provider"

    /// The end of the extension's module name.
    fileprivate var word: String {
        let others = ["today": "Widget", "photo-editing": "Editor", "document-provider": "Documents"]
        return others[rawValue] ?? rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }

    /// The activation rule in the manifest, for points that need one.
    fileprivate var activation: String {
        guard self == .share || self == .action else { return "" }
        return ", \"activation\": { \"text\": true, \"webURLs\": { \"max\": 1 } }"
    }
}
