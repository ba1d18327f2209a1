import Foundation
import Testing

/// A program that a test runs.
struct Program {
    let path: String

    /// Python with python-tuf, in the virtual environment that Scripts/test makes.
    static let python = Program(path: root + "/.build/python-tuf/bin/python")

    private static let root = String(
        #filePath.prefix(upTo: #filePath.range(of: "/Packages/TUF/")?.lowerBound ?? #filePath.startIndex))

    /// The path of a script of these tests.
    static func fixture(_ name: String) -> String { "\(root)/Packages/TUF/Tests/TUFTests/Fixtures/\(name)" }

    var isPresent: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs the program and returns its status and output.
    func run(_ arguments: [String]) throws -> (status: Int32, output: String) { try runProgram(path, arguments) }
}

/// Returns the path of a new temporary folder.
func newFolder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tuf-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.path
}
