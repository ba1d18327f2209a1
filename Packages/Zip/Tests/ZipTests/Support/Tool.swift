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

    /// Runs the program in a folder and returns its exit status. Its output is written to a file in the folder.
    @discardableResult
    func run(_ arguments: [String], in folder: String) throws -> Int32 {
        // The shell changes the folder, because posix_spawn has no portable way to do so.
        let words = ["sh", "-c", "cd \"$0\" && exec \"$@\" > .output 2>&1", folder, name] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var pid = pid_t()
        try #require(posix_spawn(&pid, "/bin/sh", nil, nil, &pointers, environ) == 0)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) == -1 {
            try #require(errno == EINTR)
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }

    func expectSuccess(_ arguments: [String], in folder: String) throws {
        let status = try run(arguments, in: folder)
        let output = String(decoding: try readFile("\(folder)/.output"), as: UTF8.self)
        try #require(status == 0, "\(name) said: \(output)")
        unlink("\(folder)/.output")
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
