import Foundation
import Testing
import WebPages

@testable import Graphs

@Suite("The code in web pages", .tags(.medium))
struct InlineCodeTests {
    private static let code = [
        PageStyle.base, GraphStyle.drawing, GraphPageStyle.page, GraphPageScript.script,
    ]

    @Test("Each style sheet and script has its hash, without which a browser would not use it", arguments: code.indices)
    func hashes(index: Int) throws {
        let part = Self.code[index]
        #expect(try hash(part) == part.hash, "the hash of the code that begins with \(part.text.prefix(40))")
        #expect(!part.text.contains("</"))
    }

    /// The hash of code, computed by another program.
    private func hash(_ code: InlineCode) throws -> String {
        let program = Process()
        let (input, output) = (Pipe(), Pipe())
        program.executableURL = URL(filePath: "/usr/bin/openssl")
        program.arguments = ["dgst", "-sha256", "-binary"]
        (program.standardInput, program.standardOutput) = (input, output)
        try program.run()
        input.fileHandleForWriting.write(Data(code.text.utf8))
        try input.fileHandleForWriting.close()
        let digest = output.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        return digest.base64EncodedString()
    }
}
