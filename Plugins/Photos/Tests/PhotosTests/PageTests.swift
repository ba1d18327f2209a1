import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@testable import Photos

@Suite("The pages of the photos plugin", .tags(.medium))
@MainActor
struct PageTests {
    private let host: TestBundleContext
    private let bundle: PhotosBundle

    init() throws {
        host = try TestBundleContext(of: PhotosBundle.self)
        bundle = PhotosBundle(context: host.context)
    }

    private func page(_ address: String) async throws -> any Page { try await host.page(at: address, of: bundle) }

    @Test("An empty list offers a sample, which has a page with its size and file")
    func sample() async throws {
        let list = try await page("app://photos")
        #expect(list.content == [.text("There are no pictures yet.")])
        try await list.perform("addSample", input: [:], on: FakeNavigator(showing: list))
        let address = try ResourceURI("app://photos/lighthouse.png")
        #expect(list.content == [.list([PageRow("lighthouse.png", detail: "64 × 48", opens: address)])])
        let picture = try await page("app://photos/lighthouse.png")
        let path = host.context.container.documents.appending("Pictures/lighthouse.png")
        #expect(
            picture.content == [.field(label: "Size", value: "64 × 48"), .field(label: "File", value: path.string)])
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path.string))) == SamplePicture.lighthouse())
    }

    @Test("A file that is not a picture is listed as damaged, and other files are ignored", arguments: [0, 23, 5_000])
    func damaged(length: Int) async throws {
        try bundle.library.add(Array(repeating: 7, count: length), named: "x.png")
        try bundle.library.add([1], named: "note.txt")
        #expect(
            try await page("app://photos").content == [
                .list([PageRow("x.png", detail: "damaged", opens: try ResourceURI("app://photos/x.png"))])
            ])
    }

    @Test(
        "A picture that does not exist and an unknown action are errors", arguments: ["none.png", "../x", "note.txt"])
    func unknown(name: String) async throws {
        let address = try host.router.address(of: "photos/:name", AddressParts(captures: ["name": name]), scheme: "app")
            .text
        let error = await #expect(throws: AtriumError.self) { try await page(address) }
        #expect(error?.code == .resourceUnknown)
        let list = try await page("app://photos")
        let action = await #expect(throws: AtriumError.self) {
            try await list.perform("app://photos/\(name)", input: [:], on: FakeNavigator(showing: list))
        }
        #expect(action?.code == .pageActionUnknown)
    }
}
