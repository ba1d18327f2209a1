import Foundation
import PluginCore
import PluginTestKit

/// A program in place of the system's one for links, which only writes down what it is given.
struct RecordedLinks {
    private let folder: ThrowawayFolder

    init() throws {
        folder = try ThrowawayFolder()
        let program = try folder.write("#!/bin/sh\necho \"$1\" >> \"$(dirname \"$0\")/opened\"\n", to: "xdg-open")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.string)
    }

    /// The environment in which the program is found.
    var environment: [String: String] { ["PATH": "\(folder.path):/usr/bin:/bin", "NO_COLOR": "1"] }

    /// The links that it was given, one per line; `nil` for none.
    var opened: String? { try? String(contentsOfFile: folder.appending("opened").string, encoding: .utf8) }
}
