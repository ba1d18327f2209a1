import Foundation
import Testing

/// A TLS server on the loopback interface with a name of its own, whose authority is in a folder that can take the place of the system's.
final class TLSServer {
    /// The address of its page.
    let address: String
    /// A file that can take the place of the system's list of hosts.
    let hosts: String
    /// A folder that can take the place of the system's authorities.
    let authorities: String
    private let folder: URL
    private let process = Process()

    init(named name: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        let certificates = folder.appending(path: "certificates")
        try FileManager.default.createDirectory(at: certificates, withIntermediateDirectories: true)
        (hosts, authorities) = (folder.appending(path: "hosts").path, certificates.path)
        try Data("127.0.0.1 \(name)\n".utf8).write(to: URL(filePath: hosts))
        let (authority, key) = (authorities + "/ca-certificates.crt", folder.path + "/authority.key")
        let new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try Self.openssl(
            ["req", "-x509"] + new + ["-days", "2", "-subj", "/CN=test authority", "-keyout", key, "-out", authority])
        try Self.openssl(
            ["req", "-x509"] + new + [
                "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)", "-addext",
                "basicConstraints=critical,CA:FALSE", "-CA", authority, "-CAkey", key, "-keyout",
                folder.path + "/server.key", "-out", folder.path + "/server.pem",
            ])
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "s_server", "-accept", "127.0.0.1:0", "-www", "-key", folder.path + "/server.key", "-cert",
            folder.path + "/server.pem",
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().contains(where: {
            $0.hasPrefix("ACCEPT")
        }) {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "openssl s_server has ended")
            text += String(decoding: data, as: UTF8.self)
        }
        let line = text.split(separator: "\n").last { $0.hasPrefix("ACCEPT") }
        let port = try #require(line?.split(separator: ":").last)
        address = "https://\(name):\(port)/"
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments)")
    }
}
