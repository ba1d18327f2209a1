import FoundationEssentials
import PluginCore
import PluginTestKit
import FaultInjection
import Testing

@Suite("Damaged files of installed bundles", .tags(.large))
struct DamagedBundleTests {
    /// The damage to a file of the active version.
    enum Harm: String, CaseIterable {
        case code, machine, emptyLibrary, noLibrary, manifest, noManifest, strings, noStrings, newFile, noFolder
        case seal, noSeal, noSignature

        /// A Boolean value that indicates whether the code or the seal is damaged, which are verified before each load.
        var isOfCode: Bool {
            switch self {
            case .code, .machine, .emptyLibrary, .noLibrary, .noFolder, .seal, .noSeal, .noSignature: true
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
            case .seal: try scene.rewrite(folder + "/signature/seal.json") { $0[$0.count / 2] ^= 1 }
            case .noSeal: try await scene.removes(folder + "/signature")
            case .noSignature: try await scene.removes(folder + "/signature/seal.json.minisig")
            }
        }
    }

    @Test(
        "Damaged code is not loaded, and verify finds every damage", arguments: Harm.allCases
    )
    func refused(harm: Harm) async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop)
        try scene.storeData("an order", for: Scene.shop)
        try await harm.happens(to: try scene.shopFolder("1.1.0"), in: scene)
        let before = try scene.sandbox.tree()
        let result = try await scene.host.run("open", "app://shop/item/42")
        #expect(result.signal == nil, "\(result)")
        let changes = before.changes(to: try scene.sandbox.tree())
        if harm.isOfCode {
            #expect(changes == [])
            #expect([65, 66, 77].contains(result.status), "\(result)")
        } else {
            // A resource is verified when it is read, and string tables do not cause errors.
            #expect([0, 65, 66, 77].contains(result.status), "\(result)")
        }
        let report = try await scene.host.run("verify")
        #expect(report.status == 77, "\(report)")
    }

    /// One of each kind, for what does not depend on the file.
    private static let kinds: [Harm] = [.code, .noLibrary, .manifest, .noManifest, .noFolder, .seal, .noSeal]

    @Test("A rollback never returns to a damaged version", arguments: kinds)
    func previous(harm: Harm) async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop)
        try await harm.happens(to: try scene.shopFolder("1.0.0"), in: scene)
        let result = try await scene.host.run("rollback", Scene.shop)
        #expect(result.signal == nil, "\(result)")
        #expect([65, 66, 77].contains(result.status), "\(result)")
    }

    @Test("A damaged bundle can be uninstalled and installed again without losing data", arguments: kinds)
    func mended(harm: Harm) async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop)
        try scene.storeData("an order", for: Scene.shop)
        let before = try scene.state()
        try await harm.happens(to: try scene.shopFolder("1.1.0"), in: scene)
        try await scene.run("uninstall", Scene.shop)
        try await scene.run("install", Scene.shop)
        try await scene.run("open", "app://shop/item/42")
        let after = try scene.state()
        #expect(after.installed[Scene.shop]?.active == before.installed[Scene.shop]?.active)
        let documents = "Containers/Data/Plugins/\(Scene.shop)/0/Documents"
        #expect(after.nodes(below: documents) == before.nodes(below: documents))
    }
}
