import Foundation
import Glibc
import Testing

/// The targets of the attempts: folders, a process that plays the host, listeners, a terminal, and inherited descriptors.
final class Surroundings {
    let folder: URL
    private var descriptors: [Int32] = []
    private(set) var host: Child
    private var hostInput: Int32
    /// The standard input of the attempts, a terminal.
    let terminal: Int32
    private var values: [(String, String)] = []
    private let leaks: [Int32]

    static let limits = ["addressSpace": 1 << 30, "openFiles": 64, "fileSize": 1 << 20, "processorSeconds": 1]

    init() throws {
        let name = "atrium-breakout-\(UUID().uuidString.prefix(8))"
        // The path of a Unix socket has at most 107 bytes.
        folder = URL(filePath: "/tmp").appending(path: name)
        for part in ["outside/empty", "other", "bundle", "container"] {
            try FileManager.default.createDirectory(at: folder.appending(path: part), withIntermediateDirectories: true)
        }
        for file in Self.files { try Data("secret\n".utf8).write(to: folder.appending(path: file)) }
        let container = folder.appending(path: "container").path
        let outside = folder.appending(path: "outside").path
        try Self.plantLinks(in: container, to: outside)

        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, streamType, 0, &ends) == 0)
        hostInput = ends[1]
        host = try Child(["host"], input: ends[0])
        close(ends[0])
        let address = try #require(host.line()?.split(separator: " ").last.map(String.init))

        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(main >= 0)
        descriptors.append(main)
        var (lock, terminalNumber): (Int32, UInt32) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
        try #require(ioctl(main, 0x4004_5431, &lock) == 0)
        try #require(ioctl(main, 0x8004_5430, &terminalNumber) == 0)
        terminal = open("/dev/pts/\(terminalNumber)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
        descriptors.append(terminal)

        // These two are not closed in the child.
        leaks = [open(outside + "/secret", O_RDONLY), open(outside, O_RDONLY | O_DIRECTORY)]
        descriptors += leaks

        let (tcp, tcpPort) = try listener(AF_INET, Int32(SOCK_STREAM.rawValue))
        let (tcp6, tcp6Port) = (try? listener(AF_INET6, Int32(SOCK_STREAM.rawValue))) ?? (-1, 0)
        let (udp, udpPort) = try listener(AF_INET, Int32(SOCK_DGRAM.rawValue))
        let (free, freePort) = try listener(AF_INET, Int32(SOCK_STREAM.rawValue), listens: false)
        close(free)
        descriptors += [tcp, tcp6, udp]
        descriptors.append(try unixListener(folder.path + "/socket", isAbstract: false))
        descriptors.append(try unixListener(name, isAbstract: true))

        values = [
            ("outside", outside), ("other", folder.path + "/other"), ("registry", folder.path + "/registry"),
            ("bundle", folder.path + "/bundle"), ("container", container), ("socket", folder.path + "/socket"),
            ("abstract", name), ("tcp", "\(tcpPort)"), ("tcp6", "\(tcp6Port)"), ("udp", "\(udpPort)"),
            ("freePort", "\(freePort)"), ("host", "\(host.number)"), ("hostAddress", address),
            ("leakedFile", "\(leaks[0])"), ("leakedFolder", "\(leaks[1])"), ("parent", "\(getpid())"),
        ]
        values += Self.limits.map { ($0.key, "\($0.value)") }
    }

    private static let files = [
        "outside/secret", "outside/writable", "other/notes", "registry", "bundle/manifest.json", "container/own",
    ]

    /// The targets of the attempts, by name.
    var targets: [String: String] { Dictionary(values) { _, last in last } }

    /// Creates the file and the links in another container that the attempts expect in one.
    func plant(in container: String) throws {
        try Data("secret\n".utf8).write(to: URL(filePath: container + "/own"))
        try Self.plantLinks(in: container, to: folder.appending(path: "outside").path)
    }

    private static func plantLinks(in container: String, to outside: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: container + "/link", withDestinationPath: outside + "/secret")
        try FileManager.default.createSymbolicLink(atPath: container + "/door", withDestinationPath: outside)
    }

    /// Runs one attempt, and returns the first line about the confinement and the result.
    func attempt(_ index: Int, _ options: String...) throws -> (confined: String?, result: String) {
        let child = try Child(
            ["run", "attempt=\(index)"] + options + values.map { "\($0.0)=\($0.1)" }, input: terminal,
            environment: ["LD_PRELOAD": "libatrium-breakout.so", "ATRIUM_BREAKOUT_SECRET": "secret"])
        let (lines, signal) = child.wait()
        let confined = lines.first { $0.hasPrefix("confined") || $0.hasPrefix("failed") }
        let result = lines.last { $0 == "escaped" || $0.hasPrefix("refused") }
        return (confined, result ?? signal.map { "ended by \($0)" } ?? "ended without a result")
    }

    /// Finds what an attempt has changed outside of the container.
    func damage() throws -> [String] {
        var damage = host.isRunning ? [] : ["the host has ended"]
        for file in Self.files where !file.hasPrefix("container") {
            let data = try? Data(contentsOf: folder.appending(path: file))
            if data != Data("secret\n".utf8) { damage.append("\(file) has changed") }
        }
        // The sandbox of RealRunner.
        let runner = FileManager.default.fileExists(atPath: folder.appending(path: "host").path) ? ["host"] : []
        for (part, expected) in [
            ("", (["bundle", "container", "other", "outside", "registry", "socket"] + runner).sorted()),
            ("bundle", ["manifest.json"]),
            ("outside", ["empty", "secret", "writable"]), ("other", ["notes"]),
        ] {
            let found = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: part).path).sorted()
            if found != expected { damage.append("\(folder.lastPathComponent)/\(part) contains \(found)") }
        }
        return damage
    }

    deinit {
        close(hostInput)
        for descriptor in descriptors { close(descriptor) }
        try? FileManager.default.removeItem(at: folder)
    }
}

private func listener(_ family: Int32, _ type: Int32, listens: Bool = true) throws -> (Int32, UInt16) {
    let file = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), 0)
    try #require(file >= 0)
    var address = sockaddr_in6()
    var length = socklen_t(family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
    // The fields before the address are the same in both kinds.
    address.sin6_family = sa_family_t(family)
    if family == AF_INET {
        address.sin6_flowinfo = UInt32(0x7f00_0001).bigEndian
    } else {
        address.sin6_addr = in6addr_loopback
    }
    let port = try withUnsafeMutablePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
            try #require(bind(file, name, length) == 0)
            if listens, type == Int32(SOCK_STREAM.rawValue) { try #require(listen(file, 16) == 0) }
            try #require(getsockname(file, name, &length) == 0)
        }
        return UInt16(bigEndian: pointer.pointee.sin6_port)
    }
    return (file, port)
}

private func unixListener(_ name: String, isAbstract: Bool) throws -> Int32 {
    let file = socket(AF_UNIX, streamType, 0)
    try #require(file >= 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = (isAbstract ? [0] : []) + Array(name.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
    try withUnsafePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
            try #require(bind(file, name, length) == 0 && listen(file, 16) == 0)
        }
    }
    return file
}
