import FoundationEssentials
import Glibc
import Synchronization

/// The resource files of a bundle, and its texts in the user's language.
///
/// A text is looked up in `<language>.lproj/Localizable.json`, a flat JSON object of strings. The languages are tried in the order of the
/// user's preferences (BCP 47 tags, each also without its last subtags), then English. A key that no table contains is displayed as is.
///
/// In an installed bundle, each read is verified against the bundle's seal.
public final class BundleResources: Sendable {
    /// The folder that contains the resources.
    public let root: FilePath
    /// The user's languages, in order of preference.
    public let languages: [String]
    /// The string tables by language. Each is read once, when it is first needed.
    private let tables = Mutex<[String: [String: String]?]>([:])
    /// The keys, parameters and images that were reported.
    private let missing = Mutex<Set<String>>([])
    private let reader: Reader?
    private let onRefusedTexts: @Sendable (AtriumError) -> Void
    private let onMissingText: @Sendable (String) -> Void

    /// Reads a resource by its relative path, and returns the complete content if it has at most `limit` bytes.
    public typealias Reader = @Sendable (_ name: String, _ limit: Int) throws(AtriumError) -> [UInt8]

    /// Creates resources.
    ///
    /// - Parameters:
    ///   - root: The folder that contains the resources.
    ///   - languages: The user's languages, in order of preference.
    ///   - reader: Reads a resource, and can verify it; `nil` reads files without verification, for tests and previews. It throws
    ///     `resourceUnknown` if the resource doesn't exist, `resourceInvalid` if it is too large, and any other error if the content must not
    ///     be used.
    ///   - onRefusedTexts: Receives the reason why a string table cannot be used. The keys are displayed in place of its texts.
    ///   - onMissingText: Receives a log message for each text that one of the user's languages lacks, and for each missing image, once.
    public init(
        root: FilePath, languages: [String] = ["en"], reader: Reader? = nil,
        onRefusedTexts: @escaping @Sendable (AtriumError) -> Void = { _ in },
        onMissingText: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.onMissingText = onMissingText
        self.root = root
        self.languages = languages
        self.reader = reader
        self.onRefusedTexts = onRefusedTexts
    }

    /// Returns the path of a resource, for APIs that accept only file names. The resource does not have to exist.
    ///
    /// The file at this path is not verified: it may have changed since the bundle was installed. Prefer ``bytes(of:limit:)`` where the bytes are
    /// sufficient.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown` for a name that is absolute or leaves the folder.
    public func path(of name: String) throws(AtriumError) -> FilePath {
        let components = name.utf8.split(separator: .slash, omittingEmptySubsequences: false)
        guard components.allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) })
        else { throw AtriumError(.resourceUnknown, name, reason: "nameNotRelative") }
        return root.appending(name)
    }

    /// Returns the content of a resource, of at most a given size in bytes.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown` if the resource doesn't exist or cannot be read, `sealBroken` if its content
    ///   differs from the sealed content, `resourceInvalid` if it is larger than the limit, or `inputOutput`.
    public func bytes(of name: String, limit: Int = .max) throws(AtriumError) -> [UInt8] {
        guard let reader else { return try plainBytes(of: name, limit: limit) }
        _ = try path(of: name)
        return try reader(name, limit)
    }

    /// Returns the text for a key in the user's language, with each pair of braces replaced by the next argument.
    ///
    /// A string table that cannot be used is treated as missing and reported to the host.
    public func string(_ key: String, _ arguments: any Sendable...) -> String {
        let text = text(of: key)
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        let pieces = text.split(separator: "{}", omittingEmptySubsequences: false)
        var result = String(pieces.first ?? "")
        for (index, piece) in pieces.dropFirst().enumerated() {
            result += index < arguments.count ? String(describing: arguments[index]) : "{}"
            result += piece
        }
        return result
    }

    private func plainBytes(of name: String, limit: Int) throws(AtriumError) -> [UInt8] {
        let path = try path(of: name).string
        var status = stat()
        // Opening a pipe would wait for its other end.
        let isFile = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard !isFile || status.st_size <= limit else {
            throw AtriumError(.resourceInvalid, name, reason: "fileTooLarge", ["limit": .integer(limit)])
        }
        guard isFile, let content = FileManager.default.contents(atPath: path) else {
            throw AtriumError(.resourceUnknown, name, reason: "pathUnreadable", ["path": .text(path)])
        }
        return Array(content)
    }

    private func text(of key: String) -> String {
        var lacking: [String] = []
        for language in languageTags {
            guard let table = table(of: language) else { continue }
            if let text = table[key] {
                if !lacking.isEmpty { report(missing: key, in: lacking, shown: "the text in \(language)") }
                return text
            }
            lacking.append(language)
        }
        report(
            missing: key, in: lacking, shown: "the key",
            among: Set(lacking.flatMap { table(of: $0)?.keys.map(\.self) ?? [] }))
        return key
    }

    /// Reports once that an image cannot be shown: as damage, or as missing.
    public func report(_ error: AtriumError, ofImage name: String) {
        guard missing.withLock({ $0.insert("image \(name)").inserted }) else { return }
        if error.code != .resourceUnknown { return onRefusedTexts(error) }
        onMissingText("there is no image \(name); its text is shown")
    }

    private func report(
        missing key: String, in languages: [String], shown: String, among known: @autoclosure () -> Set<String> = []
    ) {
        guard missing.withLock({ $0.insert(key).inserted }) else { return }
        let place = languages.isEmpty ? "there are no texts" : "it is not in \(languages.joined(separator: ", "))"
        let nearest = Nearest.words(to: key, in: known().sorted()).first.map { "; did you mean \"\($0)\"?" } ?? ""
        onMissingText("\"\(key)\" has no text: \(place); \(shown) is shown\(nearest)")
    }

    /// Reports something missing, unless it was reported before.
    public func report(missing item: String, _ message: String) {
        if missing.withLock({ $0.insert(item).inserted }) { onMissingText(message) }
    }

    /// Returns the string table of a language, or nil if there is none.
    private func table(of language: String) -> [String: String]? {
        if let known = tables.withLock({ $0[language] }) { return known }
        var table: [String: String]?
        do {
            table = try json([String: String].self, of: "\(language).lproj/Localizable.json")
        } catch {
            if error.code != .resourceUnknown { onRefusedTexts(error) }
        }
        tables.withLock { $0[language] = .some(table) }
        return table
    }

    /// Returns the value of a JSON file.
    ///
    /// - Throws: ``AtriumError`` with code `resourceInvalid` if the file does not describe such a value, and the errors of
    ///   ``bytes(of:limit:)``.
    public func json<T: Decodable>(_ type: T.Type, of file: String) throws(AtriumError) -> T {
        do {
            return try CodedValue(json: try bytes(of: file)).decoded()
        } catch {
            throw error as? AtriumError ?? AtriumError(.resourceInvalid, file, reason: .finding(error))
        }
    }

    /// The language tags to try, in order: for `["zh-Hans-CN"]`, `zh-Hans-CN`, `zh-Hans`, `zh`, `en`.
    public var languageTags: [String] {
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
