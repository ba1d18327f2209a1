import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 2: installing a plugin", .tags(.large))
    struct InstallTests {
        /// The output of installing Shop's newest version with the library that it links.
        private static let answer = "Installed \(shop)@1.1.0.\nInstalled \(money)@1.1.0.\n"

        @Test("An install copies the package's files read-only into the sandbox and registers the bundle")
        func files() async throws {
            let fixture = try Scene()
            #expect(try await fixture.run("install", shop).stdout == Self.answer)
            let folders = try fixture.versions(of: shop)
            let folder = try #require(folders.first)
            #expect(folders.count == 1 && folder.hasPrefix("1.1.0-") && folder.count == "1.1.0-".count + 12)
            let installed = try FileTree(of: fixture.code(of: shop).appending(folder))
            let package = try PackageEditor(fixture.host.catalog.appending("\(shop)-1.1.0.zip"))
            #expect(installed.files == package.fileNames.sorted())
            let place = try ThrowawayFolder()
            for name in package.fileNames { try place.write(try package.bytes(of: name), to: name) }
            let original = try place.tree()
            for name in installed.files {
                guard case .file(let mode, let size, let digest) = installed.nodes[name] else { continue }
                #expect(mode & 0o222 == 0, "\(name) can be written: \(String(mode, radix: 8))")
                guard case .file(_, let wanted, let wantedDigest) = original.nodes[name] else { continue }
                #expect(size == wanted && digest == wantedDigest, "\(name) is not what the package has")
            }
            let list: List = try await fixture.answer("list")
            #expect(list.bundles.map { "\($0.identifier)@\($0.version)" } == ["\(shop)@1.1.0", "\(money)@1.1.0"])
        }

        @Test("An install on a terminal shows a progress bar for each bundle and then their lines")
        func progress() async throws {
            let fixture = try Scene()
            let result = try await fixture.host.startOnTerminal("install", shop).result()
            #expect(result.status == 0)
            let frames = result.stdout.split(separator: "\r").map(String.init)
            for bundle in ["\(shop)@1.1.0", "\(money)@1.1.0"] {
                #expect(frames.contains { $0.hasPrefix(bundle) && $0.contains("[----") && $0.contains("0%") })
                #expect(frames.contains { $0.hasPrefix(bundle) && $0.contains("####]") && $0.contains("100%") })
            }
            let afterBar = result.stdout.split(separator: "\r\u{1B}[K").last
            #expect(afterBar == Self.answer.replacing("\n", with: "\r\n")[...], "\(result)")
        }
    }
}
