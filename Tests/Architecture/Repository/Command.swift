import Foundation

/// Runs programs of the toolchain, at most two at the same time.
enum Command {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let queue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 2
        return queue
    }()

    /// Runs a program for at most five minutes and returns its output.
    ///
    /// - Throws: `Failure` with the text of standard error if the program does not end with 0.
    static func run(_ arguments: [String]) async throws -> Data {
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Data, any Error>) in
            queue.addOperation { ended.resume(with: Result { try runNow(arguments) }) }
        }
    }

    private static func runNow(_ arguments: [String]) throws -> Data {
        let folder = try TestFolder()
        let (output, errors) = (try folder.write("", to: "output"), try folder.write("", to: "errors"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "300"] + arguments
        // SwiftPM leaves files and folders in the temporary folder, so this sets it to one that is removed.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let said = try folder.text("errors")
            throw Failure(
                description: "\(arguments.joined(separator: " ")): status \(process.terminationStatus)\n\(said)")
        }
        return Data(try folder.bytes("output"))
    }
}
