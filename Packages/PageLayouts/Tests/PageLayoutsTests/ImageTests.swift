import PageLayouts
import PluginCore
import PluginTestKit
import Synchronization
import Testing

@Suite("Images of a bundle", .tags(.medium))
struct ImageTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test(
        "The file for a scale is that of the scale, otherwise the next larger, otherwise the largest smaller one",
        arguments: [
            ([1, 2, 3], [1, 2, 3]), ([1, 2], [1, 2, 2]), ([1, 3], [1, 3, 3]), ([2, 3], [2, 2, 3]), ([1], [1, 1, 1]),
            ([2], [2, 2, 2]), ([3], [3, 3, 3]),
        ])
    func scales(existing: [Int], expected: [Int]) async throws {
        let names = ["icons/a.png", "icons/a@2x.png", "icons/a@3x.png"]
        for scale in existing { try folder.write("scale \(scale)", to: names[scale - 1]) }
        let resources = BundleResources(root: FilePath(folder.path))
        for (asked, scale) in zip(1...3, expected) {
            let file = try resources.file("icons/a.png", scale: asked)
            #expect(file.name == names[scale - 1] && file.scale == scale, "\(asked)")
            #expect(file.bytes == Array("scale \(scale)".utf8))
        }
        #expect(try resources.file("icons/a.png", scale: .min).scale == expected[0])
        #expect(try resources.file("icons/a.png", scale: .max).scale == expected[2])
    }

    @Test(
        "A file for a scale outside of the languages' folders comes first, then the user's language, whatever the scale"
    )
    func scalesOfLanguages() async throws {
        for name in [
            "everywhere.png", "de.lproj/everywhere@2x.png", "de.lproj/flag.png", "en.lproj/flag@2x.png",
            "en.lproj/only@3x.png", "noExtension@2x", "v1.2/.hidden@2x",
        ] { try folder.write("", to: name) }
        let resources = BundleResources(root: FilePath(folder.path), languages: ["de-AT"])
        let asked = [
            ("everywhere.png", 2), ("flag.png", 2), ("only.png", 1), ("noExtension", 1), ("v1.2/.hidden", 1),
        ]
        let found = try asked.map { try resources.file($0.0, scale: $0.1).name }
        #expect(
            found == [
                "everywhere.png", "de.lproj/flag.png", "en.lproj/only@3x.png", "noExtension@2x", "v1.2/.hidden@2x",
            ])
        for name in ["none.png", "../everywhere.png", "/etc/passwd", ""] {
            let error = #expect(throws: AtriumError.self) { try resources.file(name, scale: 2) }
            #expect(error?.code == .resourceUnknown && error?.subject == name)
        }
    }

    @Test("A damaged file for a scale is an error, and no other scale takes its place")
    func damagedScale() throws {
        let resources = BundleResources(root: "/nonexistent", languages: []) { name, _ throws(AtriumError) in
            switch name {
            case "a.png", "a@3x.png": return [1]
            case "a@2x.png": throw AtriumError(.sealBroken, name)
            default: throw AtriumError(.resourceUnknown, name)
            }
        } onRefusedTexts: { _ in
        }
        let error = #expect(throws: AtriumError.self) { try resources.file("a.png", scale: 2) }
        #expect(error?.code == .sealBroken)
        #expect(try resources.file("a.png", scale: 1).scale == 1)
    }

    @Test("An image that is missing, damaged or too large is its text, and the reason is reported once")
    func missingImage() {
        let reported = Mutex<[String]>([])
        let resources = BundleResources(root: "/nonexistent", languages: []) { name, limit throws(AtriumError) in
            switch name {
            case "damaged.png": throw AtriumError(.sealBroken, name)
            case "large.png": throw AtriumError(limit == PageImage.largestFile ? .resourceInvalid : .inputOutput, name)
            default: throw AtriumError(.resourceUnknown, name)
            }
        } onRefusedTexts: { error in
            reported.withLock { $0.append("\(error.code)") }
        } onMissingText: { text in
            reported.withLock { $0.append(text) }
        }
        for _ in 0..<3 {
            for name in ["none.png", "damaged.png", "large.png"] {
                #expect(resources.image(name, text: "T") == PageImage(png: [], text: "T"))
            }
        }
        #expect(
            reported.withLock { $0 } == [
                "there is no image none.png; its text is shown", "sealBroken", "resourceInvalid",
            ])
    }
}
