import PluginCore
import Testing

@testable import Console

@Suite("Files with the texts of a language", .tags(.medium))
struct LanguageFileTests {
    private let folder: TestFolder
    private var root: FilePath { FilePath(folder.path) }

    init() throws { folder = try TestFolder() }

    @Test("The file is beside the folder of an installed program, and above all folders of builds in a checkout")
    func places() throws {
        try folder.write(#"{ "reasons": { "lost": "outer" } }"#, to: "share/atrium/en.json")
        try folder.write(#"{ "reasons": { "lost": "inner" } }"#, to: "a/share/atrium/en.json")
        // The folder of the programs itself has no texts.
        for (program, text) in [
            ("a/bin/hostapp", "inner"), ("b/.build/x/hostapp", "outer"), ("a/hostapp", "outer"),
        ] {
            #expect(LanguageFile("en", program: root.appending(program))[.reasons, "lost"] == text)
        }
    }

    @Test("A file that is missing, damaged, unreadable or of another form has no texts, and says why")
    func problems() throws {
        let (program, name) = (root.appending("bin/hostapp"), "share/atrium/en.json")
        let expected = "there is no \(name) beside the folder \(root.appending("bin"))"
        #expect(LanguageFile("en", program: program).problem == expected)
        for (text, problem) in [
            (#"{ "reasons": { "lost": "it is lost", } }"#, "line 1, column 38: no comma is allowed before \"}\""),
            (#"{ "reasons": [] }"#, "reasons"), (#"{ "reasons": { "a": "", "a": "" } }"#, "is given twice"),
        ] {
            let file = try folder.write(text, to: name)
            let damaged = LanguageFile("en", program: program)
            #expect(damaged.problem?.hasPrefix("\(file): ") == true, "\(damaged)")
            #expect(damaged.problem?.contains(problem) == true && damaged[.reasons, "lost"] == nil, "\(damaged)")
        }
        try folder.write(String(repeating: " ", count: 5 << 20), to: name)
        #expect(LanguageFile("en", program: program).problem?.contains("fileTooLarge") == true)
        #expect(LanguageFile("en", program: "hostapp").problem != nil)
    }

    @Test("The files of this program can be read, and have the same sentences of errors")
    func complete() {
        #expect(LanguageFile.english.problem == nil && LanguageFile.simplifiedChinese.problem == nil)
        #expect(Localization.note == nil)
        for code in ExitStatus.byCode.keys {
            #expect(LanguageFile.english[.errors, code] != nil && LanguageFile.simplifiedChinese[.errors, code] != nil)
        }
    }
}
