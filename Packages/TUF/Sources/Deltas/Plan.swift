internal import CDelta

/// The segments of a package, and their contents.
struct Plan {
    private(set) var segments: [Segment] = []
    private(set) var content: [UInt8] = []

    /// The settings of deflate that are tried, the usual ones first.
    private static let settings: [(level: UInt8, memoryLevel: UInt8)] = [6, 9, 1, 8, 7, 5, 4, 3, 2].flatMap { level in
        [(level, 8), (level, 9)]
    }

    /// Finds the members of a package that can be deflated again. Other bytes are copied.
    init(of package: [UInt8], limits: DeltaLimits) {
        var place = 0
        var settings = Self.settings
        let members = (Archive.members(of: package) ?? []).filter(\.isDeflated)
        for member in members.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard member.range.lowerBound >= place, member.contentLength <= limits.contentLength,
                let inflated = member.content(in: package),
                let index = settings.firstIndex(where: { settings in
                    Deflater.deflate(inflated, level: settings.level, memoryLevel: settings.memoryLevel).map {
                        $0.elementsEqual(package[member.range])
                    } ?? false
                })
            else { continue }
            // Most members of a package have the same settings.
            settings.insert(settings.remove(at: index), at: 0)
            append(Segment(length: UInt64(member.range.lowerBound - place)), package[place..<member.range.lowerBound])
            append(
                Segment(level: settings[0].level, memoryLevel: settings[0].memoryLevel, length: UInt64(inflated.count)),
                inflated[...])
            place = member.range.upperBound
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

extension Step {
    /// Returns the steps from a base to contents, each followed by its bytes, or nil without memory.
    static func bytes(from base: [UInt8], to content: [UInt8]) -> [UInt8]? {
        var (base, content) = (base, content)
        return base.withUnsafeMutableBytes { base in
            content.withUnsafeMutableBytes { content in bytes(from: base, to: content) }
        }
    }

    private static func bytes(
        from base: UnsafeMutableRawBufferPointer, to content: UnsafeMutableRawBufferPointer
    ) -> [UInt8]? {
        var count = 0
        let found = delta_match(
            delta_buffer(bytes: base.baseAddress, size: base.count, done: 0),
            delta_buffer(bytes: content.baseAddress, size: content.count, done: 0), &count)
        guard let found else { return nil }
        defer { delta_free(found) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + count * length)
        var place = 0
        for step in UnsafeBufferPointer(start: found, count: count) {
            bytes += Step(base: step.base, similar: step.similar, other: step.other).bytes
            for index in 0..<step.similar { bytes.append(content[place + index] &- base[step.base + index]) }
            place += step.similar
            bytes += content[place..<place + step.other]
            place += step.other
        }
        return bytes
    }
}
