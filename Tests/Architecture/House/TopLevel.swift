import Foundation

/// What lies in the root of a repository and is part of it.
enum TopLevel {
    /// What git does not ignore; without git, everything but what a build leaves.
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
