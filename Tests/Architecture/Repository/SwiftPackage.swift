import Foundation

/// Queries the toolchain about packages, and caches the answers that depend only on manifests.
actor SwiftPackage {
    static let shared = SwiftPackage()

    private struct Question: Hashable {
        let folder: String
        let manifests: [String]
    }

    private var answers: [Question: Task<PackageFacts, any Error>] = [:]

    /// Returns the contents of the manifest, including parts under conditions and traits.
    func facts(ofPackageAt folder: String, manifests: [String], in root: String) async throws -> PackageFacts {
        let question = Question(folder: folder, manifests: manifests)
        if let answer = answers[question] { return try await answer.value }
        let answer = Task {
            // The default scratch folder is locked by `swift test`, which runs this process.
            let scratch = try TestFolder()
            defer { withExtendedLifetime(scratch) {} }
            let output = try await Command.run([
                "swift", "package", "--package-path", root + "/" + folder, "--scratch-path", scratch.path,
                "dump-package",
            ])
            return try JSONDecoder().decode(PackageFacts.self, from: output)
        }
        answers[question] = answer
        return try await answer.value
    }
}
