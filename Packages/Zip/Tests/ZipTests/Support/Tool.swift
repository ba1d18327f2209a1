import Testing

import Glibc

/// A program of the system, found in the search path.
struct Tool {
    let name: String

    static let python = Tool(name: "python3")
    static let zip = Tool(name: "zip")
    static let unzip = Tool(name: "unzip")
    static let bsdtar = Tool(name: "bsdtar")
    static let sevenZip = Tool(name: "7z")
    static let jar = Tool(name: "jar")
    static let java = Tool(name: "java")
    static let tar = Tool(name: "tar")
    static let zstd = Tool(name: "zstd")
    static let shell = Tool(name: "sh")

    var isPresent: Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Fails the test if the program is not installed; `Scripts/test` installs it.
    func require() throws {
        try #require(isPresent, "\(name) is not installed")
    }

    func expectSuccess(_ arguments: [String], in folder: String) throws {
        let (status, output) = try runProgram(name, arguments, in: folder)
        try #require(status == 0, "\(name) said: \(output)")
    }
}

func makePipe(_ path: String) throws {
    try #require(mkfifo(path, 0o600) == 0)
}

func makeLink(_ path: String, to target: String) throws {
    try #require(symlink(target, path) == 0)
}

/// Returns the peak memory use of the process in bytes.
func peakResidentSize() throws -> Int {
    let status = String(decoding: try readFile("/proc/self/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) })
        << 10
}
