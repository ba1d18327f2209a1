import Foundation

/// The fields of a bundle's manifest that the rules need.
struct BundleFacts: Decodable, Sendable {
    struct Requirement: Decodable, Sendable {
        let bundle: String
        let onDemand: Bool?
    }

    let identifier: String
    let kind: String
    let requires: [Requirement]?

    /// A Boolean value that indicates whether other bundles can link this one.
    var isLibrary: Bool { kind == "lib" }

    /// Returns whether a bundle must be loaded before this one.
    func isLinked(with identifier: String) -> Bool {
        requires?.contains { $0.bundle == identifier && $0.onDemand != true } == true
    }

    /// Reads the manifest of the bundle in a folder; returns `nil` if there is none.
    static func read(in folder: String) throws -> BundleFacts? {
        let path = folder + "/manifest.json"
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        do {
            return try JSONDecoder().decode(BundleFacts.self, from: data)
        } catch {
            throw Repository.Unreadable(description: "\(path): \(error)")
        }
    }
}
