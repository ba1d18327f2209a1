import Foundation

/// A folder of a test's own.
struct TemporaryFolder {
    let url: URL

    init() throws {
        let place = FileManager.default.temporaryDirectory
        // Not a directory to `URL`, whose path would end with a slash.
        url = place.appending(path: "architecture-\(UUID().uuidString)", directoryHint: .notDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    var path: String { url.path(percentEncoded: false) }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
