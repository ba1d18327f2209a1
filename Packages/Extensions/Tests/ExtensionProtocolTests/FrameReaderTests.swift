@testable import ExtensionProtocol
import HostSystem
import PluginExtension
import Testing

@Suite("Frames of the extension protocol", .tags(.small))
struct FrameReaderTests {
    @Test("A frame is the same after any division of its bytes", arguments: [1, 5, 12, 13, 4096])
    func division(size: Int) throws {
        let frames = [
            Frame(.request, method: 3, number: 7, body: Array(0...255)), Frame(.event, method: 17),
            Frame(.cancel, number: .max),
        ]
        let bytes = frames.flatMap(\.bytes)
        var (reader, found) = (FrameReader(), [Frame]())
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.append(bytes[start..<min(bytes.count, start + size)], files: [])
            while let frame = try reader.next() { found.append(frame) }
        }
        #expect(found.map(\.bytes) == frames.map(\.bytes))
    }

    @Test("A frame that breaks a rule is a violation before its body has arrived")
    func violations() {
        func violation(_ header: [UInt8], files: Int = 0) -> ProtocolViolation? {
            var reader = FrameReader()
            reader.append(header, files: (0..<files).map { _ in AttachmentFile(taking: -1) })
            do {
                _ = try reader.next()
                return nil
            } catch {
                return error
            }
        }
        #expect(violation([1, 0, 16, 0, 1, 0, 3, 0, 1, 0, 0, 0]) == .frameTooLarge(1 << 20 + 1))
        #expect(violation([0, 0, 0, 0, 9, 0, 3, 0, 1, 0, 0, 0]) == .kindUnknown(9))
        #expect(violation([0, 0, 0, 0, 1, 17, 3, 0, 1, 0, 0, 0]) == .tooManyFiles)
        #expect(violation([0, 0, 0, 0, 1, 2, 3, 0, 1, 0, 0, 0], files: 1) == .filesMissing)
        #expect(violation([0, 0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0], files: 1) == .tooManyFiles)
        #expect(violation([9, 0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0], files: 1) == .tooManyFiles)
        #expect(violation([9], files: 17) == .tooManyFiles)
        #expect(violation([0, 0, 16, 0, 1, 0, 3, 0, 1, 0, 0, 0]) == nil)
    }
}
