import Foundation

/// The files and folders in a repository's root that are part of it.
enum TopLevel {
    /// Returns the names that git does not ignore, or without git, all names except those of build folders.
    static func names(in root: String) async throws -> Set<String> {
        let present = Set(try FileManager.default.contentsOfDirectory(atPath: root)).subtracting([".git"])
        guard let known = await known(in: root) else { return present.subtracting(["build", ".build"]) }
        return present.intersection(known)
    }

    private static func known(in root: String) async -> Set<String>? {
        guard FileManager.default.fileExists(atPath: root + "/.git") else { return nil }
        let list = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        guard let output = try? await Command.run(list) else { return nil }
        let paths = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return Set(paths.map { String($0.prefix { $0 != "/" }) })
    }
}
