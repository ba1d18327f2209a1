import Console
import Testing

@Suite("Arguments of a program", .tags(.small))
struct ProgramArgumentsTests {
    @Test("The arguments are the words after the program's name, in any language")
    func text() {
        let arguments = ProgramArguments(bytes: [Array("/opt/bin/hostapp".utf8), Array("购物车".utf8), []])
        #expect(arguments.words == ["购物车", ""])
        #expect(arguments.error == nil)
        #expect(ProgramArguments(bytes: []).words == [])
    }

    @Test("An argument that is not UTF-8 is a usage error that shows the bytes")
    func bytes() {
        let word = Array("--sandbox=é".utf8) + [0xff, 0xe2, 0x82]
        let arguments = ProgramArguments(bytes: [Array("/opt/bin/hostapp".utf8), Array("list".utf8), word])
        #expect(arguments.error?.code == .notUTF8)
        #expect(
            arguments.error?.report.message
                == #"hostapp was given bytes that are not UTF-8: "--sandbox=é\xFF\xE2\x82""#)
    }
}
