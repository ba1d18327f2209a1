import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("An installed bundle that was harmed on the disk")
struct DamagedBundleTests {
    /// What happens to one of the files of the active version.
    enum Harm: String, CaseIterable {
        case code, machine, emptyLibrary, noLibrary, manifest, noManifest, strings, noStrings, newFile, noFolder

        /// Whether it is done to the code, the only file that is held against the seal before it is loaded.
        var isOfCode: Bool {
            switch self {
            case .code, .machine, .emptyLibrary, .noLibrary, .noFolder: true
            case .manifest, .noManifest, .strings, .noStrings, .newFile: false
            }
        }

        func happens(to folder: String, in scene: Scene) async throws {
            let library = folder + "/lib/x86_64-unknown-linux-gnu/libShop.so"
            let strings = folder + "/Resources/en.lproj/Localizable.json"
            switch self {
            case .code: try scene.rewrite(library) { $0[$0.count / 2] ^= 0xFF }
            case .machine: try scene.rewrite(library) { $0[18] ^= 0xFF }
            case .emptyLibrary: try scene.rewrite(library) { $0 = [] }
            case .noLibrary: try await scene.removes(library)
            case .manifest: try scene.rewrite(folder + "/manifest.json") { $0[$0.count / 2] ^= 0x20 }
            case .noManifest: try await scene.removes(folder + "/manifest.json")
            case .strings: try scene.rewrite(strings) { $0[$0.count / 2] ^= 0x20 }
            case .noStrings: try await scene.removes(strings)
            case .newFile: try Data("more".utf8).write(to: URL(filePath: scene.path(folder + "/lib/more.so")))
            case .noFolder: try await scene.removes(folder)
            }
        }
    }

    @Test(
        "is refused when its code is to be loaded, and whatever was harmed is found by verify", arguments: Harm.allCases
    )
    func refused(harm: Harm) async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop)
        try scene.keep("an order", for: Scene.shop)
        try await harm.happens(to: try scene.shopFolder("1.1.0"), in: scene)
        let before = try scene.sandbox.tree()
        let result = try await scene.host.run("open", "app://shop/item/42")
        #expect(result.signal == nil, "\(result)")
        let changes = before.changes(to: try scene.sandbox.tree())
        if harm.isOfCode {
            #expect(changes == [])
            #expect([65, 66, 77].contains(result.status), "\(result)")
        } else {
            // What is no code is not read before each load: that would cost what the whole bundle weighs.
            #expect([0, 65, 66, 77].contains(result.status), "\(result)")
        }
        let verdict = try await scene.host.run("verify")
        #expect(verdict.status == 77, "\(verdict)")
    }

    @Test("is never what a rollback returns to", arguments: Harm.allCases)
    func previous(harm: Harm) async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop)
        try await harm.happens(to: try scene.shopFolder("1.0.0"), in: scene)
        let result = try await scene.host.run("rollback", Scene.shop)
        #expect(result.signal == nil, "\(result)")
        #expect([65, 66, 77].contains(result.status), "\(result)")
    }

    @Test("can be uninstalled and installed again, and finds its data", arguments: Harm.allCases)
    func mended(harm: Harm) async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop)
        try scene.keep("an order", for: Scene.shop)
        let before = try scene.state()
        try await harm.happens(to: try scene.shopFolder("1.1.0"), in: scene)
        try await scene.does("uninstall", Scene.shop)
        try await scene.does("install", Scene.shop)
        try await scene.does("open", "app://shop/item/42")
        let after = try scene.state()
        #expect(after.installed[Scene.shop]?.active == before.installed[Scene.shop]?.active)
        let documents = "Containers/Data/Plugins/\(Scene.shop)/Documents"
        #expect(after.nodes(below: documents) == before.nodes(below: documents))
    }
}
