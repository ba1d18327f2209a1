import FoundationEssentials
import Testing

/// A screen that is compared with a file in the folder Pinned.
///
/// With the variable `ATRIUM_PIN_SCREENS`, the files are written in place of compared; look at them before you commit them.
enum PinnedScreen {
    /// Returns whether a screen is the one in a file.
    static func matches(_ screen: String, _ name: String) -> Bool {
        guard let pinned = try? Data(contentsOf: file(name)) else { return false }
        return withoutSizes(screen) == String(decoding: pinned, as: UTF8.self)
    }

    private static func file(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Pinned/\(name).txt")
    }

    /// Waits until a window shows the screen in a file, because a terminal may have read only a part of a drawing.
    static func expect(
        _ name: String, in window: TerminalWindow, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        if ProcessInfo.processInfo.environment["ATRIUM_PIN_SCREENS"] != nil {
            return try Data(withoutSizes(try await window.screen()).utf8).write(to: file(name))
        }
        try await window.wait(
            until: { matches($0, name) }, "the screen of Pinned/\(name).txt", sourceLocation: sourceLocation)
    }

    /// Returns the screen with the sizes of packages, which depend on the build, replaced by `SIZE`.
    private static func withoutSizes(_ screen: String) -> String {
        screen.replacing(#/[0-9.]+ [kM]B( *)/#) { match in
            "SIZE" + String(repeating: " ", count: max(0, match.output.0.count - 4))
        }.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return String(line)
        }.joined(separator: "\n")
    }
}
