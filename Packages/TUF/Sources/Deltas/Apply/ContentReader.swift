/// The contents of a package, from the base and the steps in a frame.
final class ContentReader {
    private let frame: FrameReader
    private let base: BaseContent
    private let path: String
    private var step = Step(base: 0, similar: 0, other: 0)

    init(_ frame: FrameReader, base: BaseContent, path: String) {
        self.frame = frame
        self.base = base
        self.path = path
    }

    /// Returns exactly a number of bytes.
    func read(_ count: Int) throws(DeltaError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            if step.similar == 0, step.other == 0 {
                guard let next = Step(try frame.read(Step.length)[...], baseLength: base.count) else {
                    throw DeltaError(.malformed, path, detail: "a step outside of the base")
                }
                step = next
            }
            let rest = count - bytes.count
            if step.similar > 0 {
                let part = min(rest, step.similar)
                let differences = try frame.read(part)
                let similar = try base.bytes(step.base..<step.base + part)
                for index in 0..<part { bytes.append(differences[index] &+ similar[index]) }
                step.base += part
                step.similar -= part
            } else {
                let part = min(rest, step.other)
                bytes += try frame.read(part)
                step.other -= part
            }
        }
        return bytes
    }

    /// Checks that there is nothing after what was read.
    func finish() throws(DeltaError) {
        guard step.similar == 0, step.other == 0 else {
            throw DeltaError(.malformed, path, detail: "a step that is too long")
        }
        try frame.finish()
    }
}
