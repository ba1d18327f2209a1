/// The possible contents of the disk after a power cut right after an operation.
///
/// Only the guarantees of file systems are assumed: synced changes are there, and any part of the others. A name may exist without its
/// content, a later change without an earlier one, and the last write may be incomplete. The content of one file, or the names in one
/// folder, which a single sync makes durable, are lost or kept as a whole.
struct PowerCut {
    let recording: DiskRecording
    /// The index of the last operation before the power cut.
    let index: Int

    /// A possible loss.
    struct Loss: Hashable {
        /// The indexes of the operations that were lost.
        var lost: Set<Int>
        /// A Boolean value that indicates whether only the first half of the last write is on the disk.
        var isTorn = false
    }

    /// The indexes of the operations that were not synced.
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

    /// Returns the losses to check.
    ///
    /// These are the loss of everything, of everything except the part that the last operation changed, and of only that part. Before a
    /// sync and at the end of the program, the latter two are repeated for every unsynced part.
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

    /// Returns the disk after a loss.
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

    /// Returns a description of a loss with its last calls.
    func description(of loss: Loss) -> String {
        let calls = loss.lost.sorted().map { recording.operations[$0].point.excerpt }
        let shown = calls.suffix(5).map { String($0.prefix(160)) }.joined(separator: "; ")
        let more = calls.count > 5 ? ", and \(calls.count - 5) before" : ""
        return (calls.isEmpty ? "nothing is lost" : "lost: \(shown)\(more)")
            + (loss.isTorn ? "; the last write is half" : "")
    }
}
