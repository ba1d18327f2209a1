import PhotosInterface
import PluginCore
import PluginTestKit
import Testing

@testable import Photos

@Suite("The contract of the photos plugin", .tags(.medium))
@MainActor
struct ContractTests {
    @Test("The plugin provides exactly what its manifest declares")
    func manifest() async throws {
        let host = try TestBundleContext(of: PhotosBundle.self)
        let bundle = PhotosBundle(context: host.context)
        try bundle.library.add(SamplePicture.lighthouse(), named: "a.png")
        let contract = ManifestContract(host.manifest)
        let problems = await contract.problems(
            of: bundle, in: host.context, samples: ["photos/:name": "app://photos/a.png"])
        #expect(problems == [])
        #expect(contract.problems(of: PhotosRoutes.list, samples: [NoValue()]) == [])
        #expect(contract.problems(of: PhotosRoutes.picture, samples: ["a.png", "../x y"]) == [])
    }

    @Test("Every text is available in both languages")
    func strings() throws { #expect(try StringsContract(PluginFolder()).problems() == []) }
}
