/// What may be on the disk when the power goes right after an operation.
///
/// By what file systems promise, and no more: what was waited for is there, and of the rest any part. Contents may be missing
/// though the name is there, later changes may be there without earlier ones, of the last write there may be a half. What one
/// wait would make last, the content of one file or the names of one folder, is lost or kept as one here.
struct PowerCut {
    let recording: DiskRecording
    /// The operation after which the power goes, by its place in the recording.
    let index: Int

    /// One thing that may have happened.
    struct Loss: Hashable {
        /// The operations that never reached the disk, by their places in the recording.
        var lost: Set<Int>
        /// A Boolean value that indicates whether of the last write only the first half did.
        var isTorn = false
    }

    /// The operations that nobody has waited for.
    var pending: [Int] {
        var waits: [DiskOperation] = []
        var pending: [Int] = []
        for place in (0...index).reversed() {
            let operation = recording.operations[place].operation
            if operation.unit == nil {
                waits.append(operation)
            } else if !waits.contains(where: operation.lasts) {
                pending.append(place)
            }
        }
        return pending.reversed()
    }

    /// All that is lost; all but what the last operation belongs to; only that; and where the program is about to wait, or has
    /// ended, the same for everything that it has not waited for.
    func losses() -> [Loss] {
        let pending = pending
        let units = Dictionary(grouping: pending) { recording.operations[$0].operation.unit }
        let all = Set(pending)
        var losses = [Loss(lost: all)]
        var chosen = recording.operations[index].operation.unit.map { [$0] } ?? []
        let next = index + 1
        if next == recording.operations.count || recording.operations[next].operation.unit == nil {
            chosen = units.keys.compactMap { $0 }
        }
        for unit in chosen {
            guard let own = units[unit].map(Set.init) else { continue }
            losses += [Loss(lost: own), Loss(lost: all.subtracting(own))]
        }
        if case .write = recording.operations[index].operation {
            losses += [Loss(lost: all.subtracting([index]), isTorn: true), Loss(lost: [], isTorn: true)]
        }
        return Array(Set(losses))
    }

    /// The disk.
    func image(after loss: Loss) -> DiskImage {
        var image = recording.before
        image.adopt(recording.fresh)
        for place in 0...index where !loss.lost.contains(place) {
            var operation = recording.operations[place].operation
            if place == index, loss.isTorn, case .write(let file, at: let offset, let bytes) = operation {
                operation = .write(file, at: offset, Array(bytes.prefix(bytes.count / 2)))
            }
            image.apply(operation)
        }
        return image
    }

    /// What was lost, for a person: the first calls of it.
    func description(of loss: Loss) -> String {
        let calls = loss.lost.sorted().map { recording.operations[$0].point.excerpt }
        let shown = calls.suffix(5).map { String($0.prefix(160)) }.joined(separator: "; ")
        let more = calls.count > 5 ? ", and \(calls.count - 5) before" : ""
        return (calls.isEmpty ? "nothing is lost" : "lost: \(shown)\(more)")
            + (loss.isTorn ? "; the last write is half" : "")
    }
}
