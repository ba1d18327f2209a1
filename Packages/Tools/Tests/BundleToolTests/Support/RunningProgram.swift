import Foundation

/// Runs a program in a process of its own, because it blocks its thread: the built bundletool unless another one is given.
func runProgram(at path: String? = nil, _ words: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let folder = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    process.executableURL = path.map { URL(filePath: $0) } ?? folder.appending(path: "bundletool")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
