import Foundation

/// A temporary folder for one test.
struct TemporaryFolder {
    let url: URL

    init() throws {
        let place = FileManager.default.temporaryDirectory
        // With a directory hint, the path of the URL would end with a slash.
        url = place.appending(path: "architecture-\(UUID().uuidString)", directoryHint: .notDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    var path: String { url.path(percentEncoded: false) }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
