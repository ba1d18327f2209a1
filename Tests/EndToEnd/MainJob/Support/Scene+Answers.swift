import PluginCore
import PluginTestKit
import Testing

extension Scene {
    /// Runs a command that must succeed and decodes its JSON output.
    func answer(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSON {
        try await host.hostapp.run(words + ["--json"]).succeeded(sourceLocation: sourceLocation).json()
    }

    /// Runs a command that must fail and decodes its JSON output.
    func refusal(
        _ words: String..., status: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Refusal {
        let result = try await host.hostapp.run(words + ["--json"])
        try #require(result.status == status, "\(result)", sourceLocation: sourceLocation)
        return try result.refusal
    }

    /// Opens an address, taps, and decodes the JSON output.
    func open(
        _ url: String, tapping taps: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSON {
        let words = ["open", url, "--json"] + taps.flatMap { ["--tap", $0] }
        return try await host.hostapp.run(words).succeeded(sourceLocation: sourceLocation).json()
    }

    /// Returns the data container of a plugin.
    func container(of identifier: String) -> FilePath {
        sandbox.root.appending("Containers/Data/Plugins").appending(identifier).appending("0")
    }

    /// Returns the folder with the versions of a plugin.
    func code(of identifier: String) -> FilePath {
        sandbox.root.appending("Containers/Bundle/Plugins").appending(identifier)
    }

    /// Returns the names of the folders of a plugin's versions on disk.
    func versions(of identifier: String) throws -> [String] {
        try FileTree(of: code(of: identifier)).paths.filter { $0 != "." && !$0.contains("/") }
    }
}

extension JSON {
    /// Returns the value of a page's field.
    func field(_ label: String) -> JSON { self.content.elements.first { $0.label.string == label }?.value ?? .null }
}
