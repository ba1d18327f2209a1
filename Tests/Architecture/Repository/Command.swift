import Foundation

/// Runs programs of the toolchain, at most two at the same time.
enum Command {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let slots = Slots(2)

    /// Runs a program and returns its output.
    ///
    /// - Throws: `Failure` with the text of standard error if the program does not end with 0.
    static func run(_ arguments: [String]) async throws -> Data {
        await slots.take()
        do {
            let output = try await runNow(arguments)
            await slots.giveBack()
            return output
        } catch {
            await slots.giveBack()
            throw error
        }
    }

    private static func runNow(_ arguments: [String]) async throws -> Data {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (output, errors) = (folder.url.appending(path: "output"), folder.url.appending(path: "errors"))
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        // SwiftPM leaves files and folders in the temporary folder, so this sets it to one that is removed.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in ended.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                ended.resume(throwing: error)
            }
        }
        guard process.terminationStatus == 0 else {
            let said = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
            throw Failure(
                description: "\(arguments.joined(separator: " ")): status \(process.terminationStatus)\n\(said)")
        }
        return try Data(contentsOf: output)
    }
}

/// A counting semaphore for tasks.
private actor Slots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func giveBack() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
