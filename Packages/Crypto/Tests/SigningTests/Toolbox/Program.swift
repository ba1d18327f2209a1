import Foundation
import Testing

/// A program of the system that runs in a new folder.
struct Program {
    struct Outcome {
        let status: Int32
        /// The output, including error output.
        let output: String
    }

    let name: String

    static let minisign = Program(name: "minisign")
    static let openssl = Program(name: "openssl")

    func outcome(in folder: URL, input: String = "", _ arguments: String...) throws -> Outcome {
        let process = Process()
        let (standardInput, standardOutput) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardOutput
        try process.run()
        standardInput.fileHandleForWriting.write(Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }
}

/// A new folder, which is removed with the value.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "signing-tests-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }
}

extension URL {
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: appending(path: name))
    }

    func text(of name: String) throws -> String {
        try String(contentsOf: appending(path: name), encoding: .utf8)
    }
}
