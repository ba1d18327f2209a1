import Foundation
import PluginCore
import PluginExtension
import PluginTestKit
import Testing

@testable import PhotosEditor

@Suite("Editing a picture", .tags(.medium))
@MainActor
struct PhotosEditorTests {
    private let container: TestContainer
    private let editor: TestExtension<PhotosEditor>

    init() throws {
        container = try TestContainer()
        editor = try TestExtension(of: PhotosEditor.self, container: container)
    }

    /// Edits a picture and returns the description of the edit with the pixels of the result.
    private func edit(
        _ picture: [UInt8], _ edit: PhotoEdit = PhotoEdit(settings: ["gray": "true"]), isGray: Bool = false
    ) async throws -> (edit: PhotoEdit, bitmap: Bitmap, png: [UInt8]) {
        let attachment = ItemAttachment(types: [.png], name: "lighthouse.png", content: .bytes(picture))
        let host = FakeRequestHost()
        let result = try await editor.run(edit, items: [ExtensionItem(attachments: [attachment])], host: host)
        let edited = try #require(result.items.first?.attachments.first)
        #expect(edited.types == [.png] && edited.name == "lighthouse.png" && host.progress == [0.5])
        let png = try edited.load()
        return (result.output, try Bitmap(png: png, isGray: isGray), png)
    }

    private func pixel(_ bitmap: Bitmap, _ column: Int, _ row: Int) -> [UInt8] {
        let start = (row * bitmap.width + column) * bitmap.channels
        return Array(bitmap.bytes[start..<start + bitmap.channels])
    }

    private func temporaryFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: container.container.temporary.string)
    }

    @Test("Without settings, a page shows the picture after each change, and completes the request")
    func page() async throws {
        let original = ItemAttachment(types: [.png], content: .bytes(try SamplePicture.lighthouse()))
        let host = FakeRequestHost()
        async let result = editor.run(PhotoEdit(), items: [ExtensionItem(attachments: [original])], host: host)
        let page = try await host.page()
        let navigator = FakeNavigator(showing: page)
        for action in ["gray", "gray", "rotate"] { try await page.perform(action, input: [:], on: navigator) }
        let shown: PageImage? = if case .image(let image)? = page.content.first { image } else { nil }
        let image = try #require(shown)
        #expect(image.text == "In color, rotated by 90°" && host.end == nil)
        try await page.perform("done", input: [:], on: navigator)
        let (edit, items) = try await (result.output, result.items)
        #expect(edit.settings == ["gray": "false", "rotation": "90"])
        #expect(try items.first?.attachments.first?.load() == image.png)
    }

    @Test("The page of a picture that is too large for pages says so, and shows a change that makes it smaller")
    func largePicture() async throws {
        var number: UInt32 = 1
        let noise: [UInt8] = (0..<600 * 600 * 4).map { _ in
            number = number &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: number >> 24)
        }
        let path = container.container.temporary.appending("large.png")
        try Bitmap(width: 600, height: 600, channels: 4, bytes: noise).write(to: path)
        let large = try ItemAttachment(opening: path, as: [.png])
        let host = FakeRequestHost()
        async let result = editor.run(PhotoEdit(), items: [ExtensionItem(attachments: [large])], host: host)
        let page = try await host.page()
        let navigator = FakeNavigator(showing: page)
        #expect(page.content.last == .text("The picture is too large to be shown here."))
        try await page.perform("gray", input: [:], on: navigator)
        let isShown = if case .image? = page.content.first { true } else { false }
        #expect(isShown)
        try await page.perform("done", input: [:], on: navigator)
        let edit = try await result.output
        #expect(edit.settings == ["gray": "true", "rotation": "0"])
    }

    @Test("The picture turns gray, and no temporary file is left")
    func gray() async throws {
        let result = try await edit(SamplePicture.lighthouse())
        #expect(result.edit.settings == ["gray": "true", "rotation": "0"])
        #expect(result.bitmap.width == 64 && result.bitmap.height == 48)
        for (column, row) in [(0, 0), (30, 12), (10, 40)] {
            let color = pixel(result.bitmap, column, row)
            #expect(color[0] == color[1] && color[1] == color[2] && color[3] == 255, "\(column), \(row)")
        }
        #expect(pixel(result.bitmap, 30, 12) != pixel(result.bitmap, 30, 18), "the tower has stripes")
        #expect(try temporaryFiles() == [])
    }

    @Test(
        "The picture is rotated clockwise and keeps its colors",
        arguments: [("0", 64, 48, 30, 12), ("90", 48, 64, 35, 30), ("180", 64, 48, 33, 35), ("270", 48, 64, 12, 33)])
    func rotated(degrees: String, width: Int, height: Int, column: Int, row: Int) async throws {
        let result = try await edit(
            SamplePicture.lighthouse(), PhotoEdit(settings: ["rotation": degrees]))
        #expect(result.bitmap.width == width && result.bitmap.height == height)
        #expect(pixel(result.bitmap, column, row) == [255, 0, 0, 255], "the top of the tower is red")
    }

    @Test("An edit is resumed with the original picture and its description")
    func resumed() async throws {
        let original = try SamplePicture.lighthouse()
        let first = try await edit(original, PhotoEdit(settings: ["gray": "true", "rotation": "270"]))
        let resumed = try await edit(original, first.edit)
        #expect(resumed.edit == first.edit && resumed.png == first.png)
        let undone = try await edit(
            original, PhotoEdit(format: first.edit.format, settings: ["gray": "false", "rotation": "0"]))
        #expect(try undone.bitmap == Bitmap(png: original, isGray: false))
    }

    @Test(
        "An edit of another editor or with an unknown setting is rejected",
        arguments: [
            PhotoEdit(format: "com.example.app.other.edit-1"), PhotoEdit(settings: ["rotation": "45"]),
            PhotoEdit(settings: ["gray": "yes"]), PhotoEdit(settings: ["sepia": "true"]),
        ])
    func unknownEdit(_ description: PhotoEdit) async throws {
        let error = await #expect(throws: AtriumError.self) { try await edit(SamplePicture.lighthouse(), description) }
        #expect(error?.code.name == "editUnknown")
    }

    @Test(
        "A picture with too many pixels is rejected before its pixels are decoded",
        arguments: [(65_535, 65_535), (1_000_000, 13), (4_000, 3_001)] as [(UInt32, UInt32)])
    func tooLarge(width: UInt32, height: UInt32) async throws {
        let error = await #expect(throws: AtriumError.self) {
            try await edit(SamplePicture.declaring(width: width, height: height))
        }
        #expect(error?.code.name == "pictureInvalid" && error?.subject == "\(width) × \(height)")
        #expect(error?.message?.contains("more than 12000000 pixels") == true)
    }

    @Test("A picture that ends early is rejected", arguments: [0, 7, 8, 20, 33, 60])
    func truncated(length: Int) async throws {
        let picture = try SamplePicture.lighthouse().prefix(length)
        let error = await #expect(throws: AtriumError.self) { try await edit(Array(picture)) }
        #expect(error?.code.name == "pictureInvalid" && error?.message?.contains("libpng rejects") == true)
        #expect(try temporaryFiles() == [])
    }

    @Test("A picture with a changed byte is rejected or decoded, and never ends the process")
    func damaged() async throws {
        let picture = try SamplePicture.lighthouse()
        var rejected = 0
        for index in picture.indices {
            var damaged = picture
            damaged[index] ^= 0xFF
            do {
                _ = try Bitmap(png: damaged, isGray: false)
            } catch let error as AtriumError {
                rejected += 1
                #expect(error.code.name == "pictureInvalid")
            }
        }
        #expect(rejected > 50)
    }

    @Test("Data that is not a PNG is rejected, whatever its sender says about it")
    func notPNG() async throws {
        let data = Array("GIF89a, and more data that is no picture at all".utf8)
        let error = await #expect(throws: AtriumError.self) { try await edit(data) }
        #expect(error?.code.name == "pictureInvalid" && error?.message?.contains("Not a PNG") == true)
        let gif = ItemAttachment(
            types: [ContentType("com.compuserve.gif")].compactMap(\.self), content: .bytes(data))
        for items in [[], [ExtensionItem()], [ExtensionItem(attachments: [gif])]] {
            let error = await #expect(throws: AtriumError.self) { try await editor.run(PhotoEdit(), items: items) }
            #expect(error?.code.name == "pictureInvalid")
        }
    }

    @Test("A file that is too large is rejected without being read")
    func largeFile() async throws {
        let path = container.container.temporary.appending("large.png")
        #expect(FileManager.default.createFile(atPath: path.string, contents: nil))
        #expect(truncate(path.string, 1 << 40) == 0)
        let large = try ItemAttachment(opening: path, as: [.png])
        let error = await #expect(throws: AtriumError.self) {
            try await editor.run(PhotoEdit(), items: [ExtensionItem(attachments: [large])])
        }
        #expect(error?.reason?.name == "attachmentTooLarge")
    }
}
