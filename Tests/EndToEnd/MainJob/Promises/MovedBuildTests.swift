import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("The build folder")
    struct MovedBuildTests {
        @Test("works from another place, in an empty environment")
        func moved() async throws {
            let original = try HostApp.find()
            let folder = try ThrowawayFolder()
            let copy = HostApp(build: folder.appending("a folder/of the user"))
            // By another process: a program that this one has open for writing while any child starts cannot be run.
            let move = #"mkdir -p "$(dirname "$2")" && cp -R "$1" "$2""#
            let paths = [original.build.string, copy.build.string]
            let copied = try await Executable("/bin/sh").run(["-c", move, "sh"] + paths)
            try #require(copied.status == 0, "\(copied)")
            // env -i: no PATH, no HOME, no LD_LIBRARY_PATH.
            let empty = Executable("/usr/bin/env", leading: ["-i"])
            let sandbox = try ThrowawaySandbox()
            let hostapp = [copy.hostapp.path.string, "--sandbox", sandbox.root.string]

            let catalog = try await empty.run(hostapp + ["catalog", "--json"])
            #expect(try catalog.json(as: Catalog.self).packages.count == 7)
            let opened = try await empty.run(hostapp + ["open", "app://shop/item/42", "--tap", "buy"])
            #expect(opened.status == 0 && opened.lines.contains("Bought Desk lamp: order 1"), "\(opened)")
            let package = copy.catalog.appending("\(shop)-1.1.0.zip").string
            let inspected = try await empty.run(copy.bundletool.path.string, "inspect", package)
            #expect(inspected.status == 0 && inspected.lines.first == "Shop 1.1.0", "\(inspected)")

            // It takes nothing from where it was built: the shared libraries and the composition are its own.
            let shell = try empty.start(hostapp + ["shell", "app://shop/answer"])
            try await shell.wait(for: "(orders)\n")
            let names: Set = ["libPluginCore.so", "libSQLite.so"]
            let shared = try await shell.mappedFiles().filter { names.contains($0.lastComponent) }
            #expect(shared == Set(names.map { copy.build.appending("lib").appending($0) }))
            #expect(try await shell.end().status == 0)
        }

        @Test("holds what a user runs, and a package of every sample plugin")
        func content() async throws {
            let host = try HostApp.find()
            let files = try FileTree(of: host.build).files
            #expect(
                files == [
                    "bin/bundletool", "bin/hostapp", "catalog/\(account)-1.0.0.zip", "catalog/\(orders)-1.0.0.zip",
                    "catalog/\(shop)-1.0.0.zip", "catalog/\(shop)-1.1.0.zip", "catalog/\(lantern)-1.0.0.zip",
                    "catalog/\(money)-1.0.0.zip", "catalog/\(money)-1.1.0.zip", "lib/libPluginCore.so",
                    "lib/libSQLite.so", "share/atrium/bundle.json", "share/atrium/trust.json",
                ])
        }
    }
}
