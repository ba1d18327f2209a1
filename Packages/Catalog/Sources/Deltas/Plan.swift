import CDelta
import Zip

/// The segments of a package, and their contents.
struct Plan {
    private(set) var segments: [Segment] = []
    private(set) var content: [UInt8] = []

    /// The settings of deflate that are tried, the usual ones first.
    private static let settings = [6, 9, 1, 8, 7, 5, 4, 3, 2].flatMap { level in
        [8, 9].map { Segment(level: level, memoryLevel: $0, length: 0) }
    }

    /// Finds the members of a package that can be deflated again. Other bytes are copied.
    ///
    /// - Parameter archive: The package as an archive; nil for bytes without members.
    init(of package: [UInt8], archive: ZipArchive?, limits: DeltaLimits) {
        var place = 0
        var settings = Self.settings
        let members = (archive?.entries ?? []).filter { $0.method == .deflated && !$0.isDirectory }
        for member in members.sorted(by: { $0.dataOffset < $1.dataOffset }) {
            let start = Int(member.dataOffset)
            let end = start + Int(member.compressedSize)
            // The file may have changed since it was opened as an archive.
            guard place <= start, end <= package.count,
                let inflated = try? archive?.contents(of: member.name, limit: limits.contentLength),
                let index = settings.firstIndex(where: { $0.deflated(inflated).elementsEqual(package[start..<end]) })
            else { continue }
            // Most members of a package have the same settings.
            settings.insert(settings.remove(at: index), at: 0)
            append(Segment(length: UInt64(start - place)), package[place..<start])
            settings[0].length = UInt64(inflated.count)
            append(settings[0], inflated[...])
            place = end
        }
        append(Segment(length: UInt64(package.count - place)), package[place...])
    }

    private mutating func append(_ segment: Segment, _ bytes: ArraySlice<UInt8>) {
        guard segment.level > 0 || !bytes.isEmpty else { return }
        segments.append(segment)
        content += bytes
    }

    /// Returns the content of the frame, or nil without memory.
    func bytes(base: [UInt8]) -> [UInt8]? {
        guard let steps = Step.bytes(from: base, to: content) else { return nil }
        return UInt32(segments.count).littleEndianBytes + segments.flatMap(\.bytes) + steps
    }
}

extension Segment {
    /// Returns the deflated content; nothing without memory.
    fileprivate func deflated(_ content: [UInt8]) -> [UInt8] {
        guard var deflater = try? deflater() else { return [] }
        var result: [UInt8] = []
        deflater.compress(content.span.bytes) { bytes in bytes.withUnsafeBytes { result += $0 } }
        deflater.finish { bytes in bytes.withUnsafeBytes { result += $0 } }
        return result
    }
}

extension Step {
    /// Returns the steps from a base to contents, each followed by its bytes, or nil without memory.
    static func bytes(from base: [UInt8], to content: [UInt8]) -> [UInt8]? {
        var writer = StepWriter(base: base, rest: content[...])
        let isComplete = withUnsafeMutablePointer(to: &writer) { writer in
            delta_match(
                base, base.count, content, content.count,
                { context, base, similar, other in
                    let step = Step(base: base, similar: similar, other: other)
                    context.assumingMemoryBound(to: StepWriter.self).pointee.append(step)
                }, writer)
        }
        return isComplete == 1 ? writer.bytes : nil
    }
}

/// The steps so far, and the contents after them.
private struct StepWriter {
    let base: [UInt8]
    var rest: ArraySlice<UInt8>
    var bytes: [UInt8] = []

    mutating func append(_ step: Step) {
        bytes += step.bytes
        for (new, old) in zip(rest.prefix(step.similar), base[step.base...]) { bytes.append(new &- old) }
        rest = rest.dropFirst(step.similar)
        bytes += rest.prefix(step.other)
        rest = rest.dropFirst(step.other)
    }
}
