import Foundation
import Testing

import Glibc

/// A program that a test runs. It is killed with the value.
final class Program: Sendable {
    private let process: Process
    private let output = Pipe()
    private let errors = Pipe()

    /// Starts a program that is searched in the path, or the built one beside the program of the tests.
    init(_ name: String, _ arguments: [String], isBuilt: Bool = false) throws {
        process = Process()
        let folder = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        process.executableURL = isBuilt ? folder.appending(path: name) : URL(filePath: "/usr/bin/env")
        process.arguments = isBuilt ? arguments : [name] + arguments
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    var number: Int32 { process.processIdentifier }

    func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Waits until the program has written something on standard error that contains a text. Returns false if it ends before.
    func waitForErrors(containing text: String) -> Bool {
        var all = ""
        while !all.contains(text) {
            let data = errors.fileHandleForReading.availableData
            guard !data.isEmpty else { return false }
            all += String(decoding: data, as: UTF8.self)
        }
        return true
    }

    /// Waits for the end of the program.
    func wait() -> (status: Int32, output: String, errors: String) {
        let texts = [errors, output].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return (process.terminationStatus, texts[1], texts[0])
    }
}
