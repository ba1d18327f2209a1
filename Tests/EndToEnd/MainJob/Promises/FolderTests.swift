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

        @Test("The default catalog is that of the user if it exists, or else the one that ships with the host")
        func catalog() async throws {
            let folder = try ThrowawayFolder()
            let host = try HostApp.find()
            let environment = ["XDG_DATA_HOME": folder.path.string]
            let shipped = try await host.hostapp.run("catalog", "--json", environment: environment)
            #expect(try shipped.json(as: Catalog.self).packages.count == 10)
            let package = "\(shop)-1.0.0.zip"
            let bytes = try PlainFile(host.catalog.appending(package)).bytes
            try folder.write(bytes, to: "atrium/catalog/\(package)")
            let own = try await host.hostapp.run("catalog", "--json", environment: environment)
            #expect(try own.json(as: Catalog.self).packages.map(\.version) == ["1.0.0"])
        }

        @Test("A relative path is resolved against the working folder")
        func relative() async throws {
            let folder = try ThrowawayFolder()
            let hostapp = try HostApp.find().hostapp
            let result = try await hostapp.run("install", account, "--sandbox", "here/sandbox", folder: folder.path)
            #expect(result.status == 0, "\(result)")
            #expect(folder.contains("here/sandbox/Containers/Bundle/registry.sqlite"))
        }
    }
}
