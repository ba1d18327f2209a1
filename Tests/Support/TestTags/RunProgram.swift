internal import Foundation

/// Runs a program, which is searched in the path unless its name is one, and returns its status with all of its output.
public func runProgram(
    _ program: String, _ arguments: [String], in folder: String? = nil, input: String = ""
) throws -> (status: Int32, output: String) {
    let process = Process()
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardOutput
    try process.run()
    standardInput.fileHandleForWriting.write(Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
