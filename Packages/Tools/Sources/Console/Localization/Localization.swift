import HostSystem
package import PluginCore
import Synchronization

/// The language of the texts that a program writes.
///
/// A program chooses it once, before it writes. Documents for scripts are always in English.
///
/// ```swift
/// Localization.choose(.simplifiedChinese)
/// StandardOutput.note(localized("No extensions.\n"))
/// ```
public enum Localization {
    @TaskLocal private static var own: TextCatalog?
    private static let chosen = Mutex<TextCatalog?>(nil)

    /// The catalog in use: that of the task, of the process, or English.
    public static var current: TextCatalog { own ?? chosen.withLock { $0 } ?? .english }

    /// Chooses the catalog of the process, also for threads that belong to no task.
    public static func choose(_ catalog: TextCatalog) { chosen.withLock { $0 = catalog } }

    /// A line that says why texts are missing from what the program has printed; `nil` if none is.
    ///
    /// It is in English, because it is about the files of the other texts.
    public static var note: String? {
        LanguageFile.firstProblem.map { "note: the program's texts are incomplete: \($0); install it again\n" }
    }

    /// Runs an operation whose texts, and those of its tasks, are in the language of a catalog.
    public static func with<Result>(_ catalog: TextCatalog, _ body: () throws -> Result) rethrows -> Result {
        try $own.withValue(catalog, operation: body)
    }

    /// Runs an asynchronous operation whose texts, and those of its tasks, are in the language of a catalog.
    public static func with<Result>(
        _ catalog: TextCatalog, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $own.withValue(catalog, operation: body)
    }
}

/// Returns a sentence in the language of the program.
public func localized(_ sentence: Sentence) -> String { Localization.current.text(for: sentence) }

/// Returns a text that is declared elsewhere, such as a summary of a command, in the language of the program.
public func localized(key: String) -> String { Localization.current.text(for: key) }

/// Returns a text of a program's section in the files of `share/atrium`, with values in place of `%@`; the key if there is none.
public func programText(_ program: String, _ key: String, _ values: [Any] = []) -> String {
    let text = LanguageFile.Section(rawValue: program).flatMap { Localization.current.sentence($0, key) }
    return TextCatalog.filled(text ?? key, with: values.map { "\($0)" })
}

/// A text for people, possibly with values, whose English pattern is the key of its translations.
///
/// The pattern of a literal has `%@` in place of each value. White space around a text is not part of its key. A translation may put
/// the values into another order, as `%2$@` and `%1$@`.
///
/// ```swift
/// localized("Installed \(identity).\n")  // the key is "Installed %@."
/// ```
public struct Sentence: ExpressibleByStringInterpolation, StringInterpolationProtocol, Sendable {
    /// The key of the translations, with the white space around the text.
    private(set) var pattern = ""
    /// The values in the order of the English text.
    private(set) var arguments: [String] = []

    /// Creates a sentence without parts.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Creates a sentence without values.
    public init(stringLiteral value: String) { pattern = value }

    /// Creates a sentence with values.
    public init(stringInterpolation sentence: Sentence) { self = sentence }

    /// Adds a part of the pattern.
    public mutating func appendLiteral(_ literal: String) { pattern += literal }

    /// Adds a value as Swift describes it.
    public mutating func appendInterpolation<Value>(_ value: Value) {
        pattern += "%@"
        arguments.append("\(value)")
    }

    /// Joins the parts of a sentence that is written on several lines.
    public static func + (one: Sentence, other: Sentence) -> Sentence {
        var sum = one
        sum.pattern += other.pattern
        sum.arguments += other.arguments
        return sum
    }
}

/// The marks that join texts in a language.
public struct Punctuation: Sendable {
    let openingQuote: String
    let closingQuote: String
    /// The mark between the elements of a list.
    let list: String
    /// The mark before the last of several alternatives.
    let or: String
    /// The mark between clauses.
    let clauses: String
    /// The mark before an explanation.
    let colon: String
    /// The space after a sentence, or after a label such as `error:`.
    let gap: String

    /// The marks of the language of the program.
    static var current: Punctuation { Localization.current.punctuation }

    static let english = Self(
        openingQuote: "\"", closingQuote: "\"", list: ", ", or: " or ", clauses: "; ", colon: ": ", gap: " ")

    /// The full-width marks of Chinese.
    public static let chinese = Self(
        openingQuote: "“", closingQuote: "”", list: "、", or: "或", clauses: "；", colon: "：", gap: "")

    /// Returns alternatives as a phrase, such as `a, b or c`.
    func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: list) + or + last
    }
}

/// The texts of one language, which are the data of `share/atrium/<language>.json`.
///
/// A file is read when the first of its texts is printed, so that most commands in English that succeed read none. Without the file of another
/// language, a program prints English. Without `en.json`, it prints codes, and reasons with their values. In both cases it adds a note.
struct LanguageFile {
    /// The parts of a file.
    enum Section: String {
        /// The sentences of error codes, in which `{subject}` is the quoted subject.
        case errors
        /// The remedies of error codes.
        case remedies
        /// The remedies for a subject that can be part of a command.
        ///
        /// `{id}` is the identifier, `{subject}` the identifier with the version if there is one, and `{identity}` requires a version.
        case commands
        /// The sentences of reasons, in which `{name}` is a value, and `{name|or}` a list separated by the text after the bar.
        case reasons
        /// The remedies of some reasons, which take the place of those of the codes.
        case reasonRemedies
        /// The sentences and remedies of usage errors, by their codes, and the meanings of exit statuses, by their numbers.
        case usage
        /// The texts of the help of a program, see ``Command/described``, and longer texts that it prints.
        case hostapp, bundletool
        /// The rules of `bundletool lint` and the checks of `bundletool validate`, by their codes.
        case lint, checks
        /// The translations of texts in the source, by the English pattern.
        case texts
    }

    private var sections: [String: [String: String]] = [:]
    /// The reason why the file could not be read; `nil` if it was.
    private(set) var problem: String?

    /// The texts in English that are not in the source.
    static let english = ofProgram("en")
    /// All texts in Simplified Chinese.
    static let simplifiedChinese = ofProgram("zh-Hans")

    /// The problem of the first file that this program needed and could not read.
    static var firstProblem: String? { recordedProblem.withLock { $0 } }
    private static let recordedProblem = Mutex<String?>(nil)

    private static let sizeLimit = 1 << 22

    private static func ofProgram(_ language: String) -> LanguageFile {
        let file = Self(language)
        if let problem = file.problem { recordedProblem.withLock { $0 = $0 ?? problem } }
        return file
    }

    init(texts: [String: String]) { sections = [Section.texts.rawValue: texts] }

    /// Reads the file of a language, which is one of the program's.
    init(_ language: String, program: FilePath = System.program) {
        do {
            let (file, bytes) = try NamedFile.shared("\(language).json", limit: Self.sizeLimit, of: program)
            do {
                sections = try StrictJSON.decode([String: [String: String]].self, from: bytes)
            } catch {
                problem = "\(file): \(ErrorReason.finding(error))"
            }
        } catch {
            problem = error.message ?? "\(error.subject): \(error.reason?.description ?? error.code.name)"
        }
    }

    /// Returns a text; `nil` if the file has none for the key.
    subscript(section: Section, key: String) -> String? { sections[section.rawValue]?[key] }
}

extension NamedFile {
    /// Reads one of the files that belong to the program.
    ///
    /// It is in `share/atrium` beside the program's `bin`, or in `Packages/Tools/share/atrium`, which is that of a checkout. The nearest folder
    /// above the program's that has one of the two counts, because programs are built in folders of different depths.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown` and a message if there is none, or `inputOutput`.
    package static func shared(
        _ name: String, limit: Int, of program: FilePath? = nil
    ) throws(AtriumError) -> (path: FilePath, bytes: [UInt8]) {
        let (name, start) = ("share/atrium/\(name)", (program ?? System.program).parent)
        var folder = start
        while folder.parent != folder {
            folder = folder.parent
            for file in [folder.appending(name), folder.appending("Packages/Tools").appending(name)] {
                do {
                    return (file, try bytes(of: file, limit: limit))
                } catch  where error.code == unknown {
                    continue
                }
            }
        }
        throw AtriumError(unknown, name, message: "there is no \(name) beside the folder \(start)")
    }
}
