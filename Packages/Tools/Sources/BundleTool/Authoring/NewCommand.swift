import CatalogPublisher
import Console
import PluginCore

/// The `bundletool new` command.
let newCommand = ProgramCommand(
    "new", arguments: [.required("name")],
    options: [
        .value("identifier", short: "i", placeholder: "id"),
        .value("kind", placeholder: "kind", default: "app", kind: .words(BundleKind.allCases.map(\.rawValue))),
        .value(
            "extension", placeholder: "point", repeatable: true,
            kind: .words(TemplateExtension.allCases.map(\.rawValue))),
        .flag("interface"), .value("directory", short: "d", kind: .folder),
    ]
) { parsed, _ in
    let name = parsed.argument("name") ?? ""
    let kind: BundleKind = try parsed.choice("--kind", parsed.value("kind") ?? "app")
    let extensions: [TemplateExtension] = try parsed.values("extension").map { try parsed.choice("--extension", $0) }
    if kind != .app, let point = extensions.first { throw parsed.invalid("--extension", point.rawValue) }
    guard Set(extensions).count == extensions.count else {
        throw parsed.invalid("--extension", extensions.map(\.rawValue).joined(separator: ", "), ["each point once"])
    }
    let hasInterface = parsed.flag("interface")
    if hasInterface, kind != .app { throw parsed.invalid("--interface", kind.rawValue) }
    guard PluginTemplate.isName(name) else { throw parsed.invalid("<name>", name) }
    guard parsed.value("directory") != "" else { throw parsed.invalid("--directory", "") }
    let usual = "com.example.\(name.lowercased())"
    guard let word = parsed.value("identifier") ?? TerminalQuestion.line("Identifier, such as \(usual): ") else {
        throw parsed.missing("--identifier <id>", adding: "--identifier \(usual)")
    }
    guard let identifier = BundleIdentifier(word) else { throw parsed.invalid("--identifier", word) }
    let template = PluginTemplate(
        name: name, identifier: identifier, kind: kind, extensions: extensions, hasInterface: hasInterface)
    let folder = FilePath(parsed.value("directory") ?? name)
    _ = try CurrentFolder.resolve(folder.string, in: ["bundletool", "new"])
    // A new Git repository may be waiting for its first files.
    if folder.exists, !Files.isEmptyFolder(folder, except: [".git"]) {
        throw CommandError(.badInput, folder, reason: "folderUsed")
    }
    let files = try template.files()
    for (path, content) in files {
        let file = folder.appending(path)
        try Files.makeFolder(file.parent)
        try Files.replace(file, with: content)
    }
    let paths = files.map(\.path)
    let isPlain = folder.string.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
    let place = isPlain ? folder.string : "'\(printable(folder))'"
    let next = kind == .assets ? "run" : "test"
    let lines = paths.map { "  \($0)\n" }.joined()
    return Answer(
        text: "Created \(identifier) in \(place):\n\(lines)Next: bundletool \(next) \(place)\n",
        json: ["folder": folder, "identifier": identifier, "files": paths])
}

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

    /// Returns whether a module can have a name: a Swift identifier of ASCII letters and digits that begins with a capital letter.
    ///
    /// The names of modules of Swift and of the SDK, and of types that a template uses, are reserved.
    static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil && !["Page", "HomePage"].contains(name)
            && !InterfaceArchive.reservedModules.contains(name)
    }

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
        try Self.sections().compactMap { head, lines in
            guard let path = head.first, head[1...].joined().split(separator: " ").contains(where: hasFeature) else {
                return nil
            }
            return (filled(path), lines.flatMap(written).joined(separator: "\n"))
        }
    }

    /// Returns a text of the file that belongs to no plugin, with the values of its names.
    static func text(_ name: String, _ values: [String: String]) throws -> String {
        let lines = try sections().first { $0.head.first == name[...] }?.lines ?? []
        return values.reduce(lines.joined(separator: "\n")) { $0.replacing("@\($1.key)@", with: $1.value) }
    }

    private static func sections() throws -> [(head: [Substring], lines: ArraySlice<Substring>)] {
        let (_, bytes) = try NamedFile.shared("plugin-template.txt", limit: 1 << 20)
        return ("\n" + String(decoding: bytes, as: UTF8.self)).split(separator: "\n=== ").map { section in
            let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
            return (lines[0].split(separator: ": "), lines.dropFirst())
        }
    }

    private func hasFeature(_ name: Substring) -> Bool {
        switch name {
        case "interface": hasInterface
        case "no-interface": !hasInterface
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
            "TESTED": modules.map { "\"\($0)\"" }.joined(separator: ", "),
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
