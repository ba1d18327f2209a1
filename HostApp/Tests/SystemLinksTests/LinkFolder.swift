import Foundation
import PluginCore

/// A folder that is removed with the last reference to it.
final class LinkFolder: Sendable {
    let path: FilePath

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = FilePath(url.path(percentEncoded: false))
    }

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    /// Writes a program, and returns the folder that it is in.
    func program(_ name: String, _ script: String) throws -> FilePath {
        let file = path.appending(name).string
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return path
    }

    /// The text of a file; `nil` if there is none.
    func text(_ name: String) -> String? { try? String(contentsOfFile: path.appending(name).string, encoding: .utf8) }
}
