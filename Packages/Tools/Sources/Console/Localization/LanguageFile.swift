internal import PluginCore
import Synchronization

/// The texts of one language, which are the data of `share/atrium/<language>.json`.
///
/// A file is read when the first of its texts is printed, so that a command in English that succeeds reads none. Without the file of another
/// language, a program prints English. Without `en.json`, it prints codes, and reasons with their values. In both cases it adds a note.
struct LanguageFile: Sendable {
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
        /// The translations of texts in the source, by the English pattern.
        case texts
    }

    private let sections: [String: [String: String]]
    /// The reason why the file could not be read; `nil` if it was.
    let problem: String?

    /// The sentences and remedies of errors in English.
    static let english = ofProgram("en")
    /// All texts in Simplified Chinese.
    static let simplifiedChinese = ofProgram("zh-Hans")

    /// The problem of the first file that this program needed and could not read.
    static var firstProblem: String? { recordedProblem.withLock { $0 } }
    private static let recordedProblem = Mutex<String?>(nil)

    private static let sizeLimit = 1 << 22

    private static func ofProgram(_ language: String) -> LanguageFile {
        let file = LanguageFile(language)
        if let problem = file.problem { recordedProblem.withLock { $0 = $0 ?? problem } }
        return file
    }

    private init(sections: [String: [String: String]] = [:], problem: String? = nil) {
        self.sections = sections
        self.problem = problem
    }

    init(texts: [String: String]) { self.init(sections: [Section.texts.rawValue: texts]) }

    /// Reads the file of a language.
    ///
    /// It is in `share/atrium` beside the program's `bin`, or in `Packages/Tools/share/atrium`, which is that of a checkout. The nearest folder
    /// above the program's that has one of the two counts, because programs are built in folders of different depths.
    init(_ language: String, program: FilePath = System.program) {
        let name = "share/atrium/\(language).json"
        var folder = program.parent
        while folder.parent != folder {
            folder = folder.parent
            for file in [folder.appending(name), folder.appending("Packages/Tools").appending(name)] {
                do throws(AtriumError) {
                    self.init(try NamedFile.bytes(of: file, limit: Self.sizeLimit), of: file)
                    return
                } catch  where error.code == NamedFile.unknown {
                    continue
                } catch {
                    self.init(problem: "\(file): \(error.reason?.description ?? error.code.name)")
                    return
                }
            }
        }
        self.init(problem: "there is no \(name) beside the folder \(program.parent)")
    }

    private init(_ bytes: [UInt8], of file: FilePath) {
        do {
            self.init(sections: try StrictJSON.decode([String: [String: String]].self, from: bytes))
        } catch {
            self.init(problem: "\(file): \(StrictJSON.finding(error))")
        }
    }

    /// Returns a text; `nil` if the file has none for the key.
    subscript(section: Section, key: String) -> String? { sections[section.rawValue]?[key] }
}
