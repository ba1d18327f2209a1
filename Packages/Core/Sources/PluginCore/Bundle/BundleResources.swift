internal import FoundationEssentials

/// A bundle's `Resources/`: files, page layouts, and texts in the user's language.
///
/// Texts are looked up in `<language>.lproj/Localizable.json`, a flat JSON object of texts, in the order of the user's
/// languages (BCP 47 tags, each also without its last subtag), then English; a key that no table has is its own text.
///
/// What a host hands out of an installed bundle is held against the bundle's seal whenever it is read.
public final class BundleResources: Sendable {
    /// The folder.
    public let root: FilePath
    /// The user's languages, most wanted first.
    public let languages: [String]
    private let tables = StringTables()
    private let reader: Reader?
    private let onRefusedTexts: @Sendable (AtriumError) -> Void
    private let onMissingText: @Sendable (String) -> Void

    /// Reads the resource of a name, a relative path: all of it, or none.
    public typealias Reader = @Sendable (_ name: String) throws(AtriumError) -> [UInt8]

    /// The resources below `root` for a user of `languages`, read as they are; for tests and previews.
    public convenience init(root: FilePath, languages: [String] = ["en"]) {
        self.init(root: root, languages: languages, reader: nil, onRefusedTexts: { _ in }, onMissingText: { _ in })
    }

    /// The resources below `root` for a user of `languages`, read by somebody who knows what they have to be.
    ///
    /// - Parameters:
    ///   - reader: reads each; `resourceUnknown` when one is not there, and any other error when it may not be handed out.
    ///   - onRefusedTexts: hears why a table of texts cannot be used; keys are shown in their place.
    ///   - onMissingText: hears once of each text that a language of the user lacks, in a sentence for the log.
    public convenience init(
        root: FilePath, languages: [String], reader: @escaping Reader,
        onRefusedTexts: @escaping @Sendable (AtriumError) -> Void,
        onMissingText: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(
            root: root, languages: languages, reader: .some(reader), onRefusedTexts: onRefusedTexts,
            onMissingText: onMissingText)
    }

    private init(
        root: FilePath, languages: [String], reader: Reader?,
        onRefusedTexts: @escaping @Sendable (AtriumError) -> Void, onMissingText: @escaping @Sendable (String) -> Void
    ) {
        self.onMissingText = onMissingText
        self.root = root
        self.languages = languages
        self.reader = reader
        self.onRefusedTexts = onRefusedTexts
    }

    /// The path of a resource, whether it is there or not, for what takes file names alone. A name that is absolute or climbs out
    /// is refused.
    ///
    /// What is read there is not verified: somebody may have changed it since it was installed. Whatever can do with the bytes asks
    /// for ``bytes(of:)``.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown`.
    public func path(of name: String) throws(AtriumError) -> FilePath {
        let components = name.utf8.split(separator: .slash, omittingEmptySubsequences: false)
        guard components.allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) })
        else { throw AtriumError(.resourceUnknown, name, detail: "a resource name is a relative path") }
        return root.appending(name)
    }

    /// The bytes of a resource.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown` when it is not there or cannot be read, `sealBroken` when it is not
    ///   what is sealed, `inputOutput`.
    public func bytes(of name: String) throws(AtriumError) -> [UInt8] {
        if let reader {
            _ = try path(of: name)
            return try reader(name)
        }
        return try plainBytes(of: name)
    }

    /// The text of `key` in the user's language, with each `{}` replaced by the next argument. A table that may not be handed out
    /// is as none; the host hears of it.
    public func string(_ key: String, _ arguments: any Sendable...) -> String {
        let pieces = text(of: key).split(separator: "{}", omittingEmptySubsequences: false)
        var result = String(pieces.first ?? "")
        for (index, piece) in pieces.dropFirst().enumerated() {
            result += index < arguments.count ? String(describing: arguments[index]) : "{}"
            result += piece
        }
        return result
    }

    /// The page `pageId` of `Pages/<layout>.json`.
    ///
    /// - Parameter name: `layout/pageId`.
    /// - Throws: ``AtriumError`` with code `resourceUnknown` when file or page is not there, `resourceInvalid` when the
    ///   file is no page layout, and as ``bytes(of:)``.
    public func screen(_ name: String) throws(AtriumError) -> PageLayout.Screen {
        let parts = name.split(separator: "/")
        guard parts.count == 2 else {
            throw AtriumError(.resourceUnknown, name, detail: "a page layout is named layout/pageId")
        }
        let file = "Pages/\(parts[0]).json"
        let layout: PageLayout
        do {
            layout = try StrictJSON.decode(PageLayout.self, from: try bytes(of: file))
        } catch let error as AtriumError {
            throw error
        } catch {
            throw AtriumError(.resourceInvalid, file, detail: StrictJSON.finding(error))
        }
        guard let screen = layout.pages[String(parts[1])] else {
            throw AtriumError(
                .resourceUnknown, name, detail: "\(file) has no such page", nearest: layout.pages.keys.sorted()
            )
        }
        return screen
    }

    private func plainBytes(of name: String) throws(AtriumError) -> [UInt8] {
        let path = try path(of: name)
        do {
            return Array(try Data(contentsOf: URL(filePath: path.string)))
        } catch {
            throw AtriumError(.resourceUnknown, name, detail: "\(path) cannot be read")
        }
    }

    private func text(of key: String) -> String {
        let found = Self.fallbacks(of: languages).lazy.map { ($0, self.table(of: $0)) }
        var lacking: [String] = []
        for (language, table) in found {
            if let text = table?[key] {
                if !lacking.isEmpty { report(missing: key, in: lacking, shown: "the text in \(language)") }
                return text
            }
            if table != nil { lacking.append(language) }
        }
        report(missing: key, in: lacking, shown: "the key")
        return key
    }

    /// Tells that a layout asks for a parameter that the request does not have.
    func report(missingParameter name: String, of layout: String) {
        guard tables.isFirst(missing: "{\(name)} \(layout)") else { return }
        onMissingText("\"{\(name)}\" in the layout \(layout) has no value; nothing is shown for it")
    }

    private func report(missing key: String, in languages: [String], shown: String) {
        guard tables.isFirst(missing: key) else { return }
        let place = languages.isEmpty ? "there are no texts" : "it is not in \(languages.joined(separator: ", "))"
        onMissingText("\"\(key)\" has no text: \(place); \(shown) is shown")
    }

    /// The texts of a language; `nil` when there are none.
    private func table(of language: String) -> [String: String]? {
        tables.table(of: language) {
            let file = "\(language).lproj/Localizable.json"
            do {
                return try StrictJSON.decode([String: String].self, from: try bytes(of: file))
            } catch let error as AtriumError {
                if error.code != .resourceUnknown { onRefusedTexts(error) }
            } catch {
                onRefusedTexts(AtriumError(.resourceInvalid, file, detail: StrictJSON.finding(error)))
            }
            return nil
        }
    }

    /// `["zh-Hans-CN"]` is `zh-Hans-CN`, `zh-Hans`, `zh`, `en`.
    static func fallbacks(of languages: [String]) -> [String] {
        var tags: [String] = []
        for language in languages + ["en"] {
            var subtags = language.split(separator: "-")
            while !subtags.isEmpty {
                let tag = subtags.joined(separator: "-")
                if !tags.contains(tag) { tags.append(tag) }
                subtags.removeLast()
            }
        }
        return tags
    }
}
