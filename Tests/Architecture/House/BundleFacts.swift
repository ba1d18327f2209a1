import Foundation

/// What the rules ask a bundle's `manifest.json`.
struct BundleFacts: Decodable, Sendable {
    struct Requirement: Decodable, Sendable {
        let bundle: String
        let onDemand: Bool?
    }

    let identifier: String
    let kind: String
    let requires: [Requirement]?

    /// A Boolean value that indicates whether other bundles are linked with it.
    var isLibrary: Bool { kind == "lib" }

    /// Returns whether a bundle must be there before this one is loaded.
    func isLinked(with identifier: String) -> Bool {
        requires?.contains { $0.bundle == identifier && $0.onDemand != true } == true
    }

    /// The facts of the bundle in a folder; `nil` when it has no manifest.
    static func read(in folder: String) throws -> BundleFacts? {
        let path = folder + "/manifest.json"
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        do {
            return try JSONDecoder().decode(BundleFacts.self, from: data)
        } catch {
            throw House.Unreadable(description: "\(path): \(error)")
        }
    }
}
