import Foundation
import PluginCore
import PluginTestKit

/// A program in place of the system's one for links, which only writes down what it is given.
struct RecordedLinks {
    private let folder: ThrowawayFolder

    /// - Parameter rest: What the program does afterwards, in its folder.
    init(then rest: String = "") throws {
        folder = try ThrowawayFolder()
        let program = try folder.write(
            "#!/bin/sh\ncd \"$(dirname \"$0\")\" && echo \"$1\" >> opened\n\(rest)\n", to: "xdg-open")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.string)
    }

    /// The environment in which the program is found.
    var environment: [String: String] { ["PATH": "\(folder.path):/usr/bin:/bin", "NO_COLOR": "1"] }

    /// The links that it was given, one per line; `nil` for none.
    var opened: String? { text(of: "opened") }

    /// Returns the content of a file in the program's folder.
    func text(of name: String) -> String? {
        try? String(contentsOfFile: folder.appending(name).string, encoding: .utf8)
    }
}
