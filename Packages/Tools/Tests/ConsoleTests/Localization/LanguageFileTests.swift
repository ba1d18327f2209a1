import FoundationEssentials
import PluginCore
import Testing

@testable import Console

@Suite("Files with the texts of a language", .tags(.medium))
struct LanguageFileTests {
    private func withFolder(_ body: (FilePath) throws -> Void) throws {
        let folder = FilePath(FileManager.default.temporaryDirectory.path).appending("texts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        try body(folder)
    }

    private func write(_ text: String, to file: FilePath) throws {
        try FileManager.default.createDirectory(atPath: file.parent.string, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: file.string))
    }

    @Test("The file is beside the folder of an installed program, and above all folders of builds in a checkout")
    func places() throws {
        try withFolder { folder in
            try write(#"{ "reasons": { "lost": "outer" } }"#, to: folder.appending("share/atrium/en.json"))
            try write(#"{ "reasons": { "lost": "inner" } }"#, to: folder.appending("a/share/atrium/en.json"))
            // The folder of the programs itself has no texts.
            for (program, text) in [
                ("a/bin/hostapp", "inner"), ("b/.build/x/hostapp", "outer"), ("a/hostapp", "outer"),
            ] {
                #expect(LanguageFile("en", program: folder.appending(program))[.reasons, "lost"] == text)
            }
        }
    }

    @Test("A file that is missing, damaged, unreadable or of another form has no texts, and says why")
    func problems() throws {
        try withFolder { folder in
            let program = folder.appending("bin/hostapp")
            let file = folder.appending("share/atrium/en.json")
            let expected = "there is no share/atrium/en.json beside the folder \(folder.appending("bin"))"
            #expect(LanguageFile("en", program: program).problem == expected)
            for (text, problem) in [
                (#"{ "reasons": { "lost": "it is lost", } }"#, "line 1, column 38: no comma is allowed before \"}\""),
                (#"{ "reasons": [] }"#, "reasons"), (#"{ "reasons": { "a": "", "a": "" } }"#, "is given twice"),
            ] {
                try write(text, to: file)
                let damaged = LanguageFile("en", program: program)
                #expect(damaged.problem?.hasPrefix("\(file): ") == true, "\(damaged)")
                #expect(damaged.problem?.contains(problem) == true && damaged[.reasons, "lost"] == nil, "\(damaged)")
            }
            try write(String(repeating: " ", count: 5 << 20), to: file)
            #expect(LanguageFile("en", program: program).problem?.contains("fileTooLarge") == true)
        }
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
