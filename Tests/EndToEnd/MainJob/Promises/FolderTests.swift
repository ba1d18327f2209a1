import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Default folders", .tags(.large))
    struct FolderTests {
        @Test(
            "The default sandbox is in the XDG data folder",
            arguments: [
                (["HOME": "home"], "home/.local/share/atrium/sandbox"),
                (["HOME": "home", "XDG_DATA_HOME": "data"], "data/atrium/sandbox"),
                // The XDG Base Directory Specification says "relative paths are invalid and should be ignored".
                (["HOME": "home", "XDG_DATA_HOME": "./data"], "home/.local/share/atrium/sandbox"),
                (["HOME": "home", "XDG_DATA_HOME": ""], "home/.local/share/atrium/sandbox"),
            ])
        func sandbox(variables: [String: String], place: String) async throws {
            let folder = try ThrowawayFolder()
            let environment = variables.mapValues { value in
                value.isEmpty || value.hasPrefix(".") ? value : folder.appending(value).string
            }
            let hostapp = try HostApp.find().hostapp
            let result = try await hostapp.run("install", account, environment: environment, folder: folder.path)
            #expect(result.status == 0, "\(result)")
            let files = try folder.tree().files
            #expect(files.contains("\(place)/Containers/Bundle/registry.sqlite"), "\(files)")
            #expect(files.allSatisfy { $0.hasPrefix("\(place)/") })
        }
    }
}
