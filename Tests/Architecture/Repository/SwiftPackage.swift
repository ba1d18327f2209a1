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
            let output = try await Self.ask("dump-package", ofPackageAt: root + "/" + folder)
            return try JSONDecoder().decode(PackageFacts.self, from: output)
        }
        answers[question] = answer
        return try await answer.value
    }

    /// Returns the compiled files as paths from the package's folder.
    nonisolated func sources(ofPackageAt path: String) async throws -> [String] {
        struct Description: Decodable {
            struct Target: Decodable {
                let path: String
                let sources: [String]
            }

            let targets: [Target]
        }

        let output = try await Self.ask("describe", "--type", "json", ofPackageAt: path)
        let description = try JSONDecoder().decode(Description.self, from: output)
        return description.targets.flatMap { target in target.sources.map { RelativePath.join(target.path, $0) } }
    }

    private static func ask(_ question: String..., ofPackageAt path: String) async throws -> Data {
        // The default scratch folder is locked by `swift test`, which runs this process.
        let scratch = try TemporaryFolder()
        defer { scratch.remove() }
        let package = ["swift", "package", "--package-path", path, "--scratch-path", scratch.path]
        return try await Command.run(package + question)
    }
}
