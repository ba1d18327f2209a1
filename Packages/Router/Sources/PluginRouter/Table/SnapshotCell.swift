internal import Synchronization

/// Holds a value that many read and few replace: a reader takes no lock and waits for nobody, and sees the whole of one
/// value; a writer makes a new one out of the last and puts it in its place in one step.
///
/// ```swift
/// let cell = SnapshotCell([1, 2])
/// cell.update { $0.append(3) }
/// cell.read { $0.count }    // 3
/// ```
///
/// A value lives in a box, and the cell is one atomic pair: the box, and how many readers are in it (its *guests*). What
/// must be shown is that a box is freed once, and never under a guest.
///
/// - A guest enters by raising the count of the pair that names the box, in one step with having read which box that is. So
///   it enters a box that is in the cell, and whoever takes the box out is told of it.
/// - A writer takes the box out by exchanging the pair, and from then on nobody enters: the count it gets, `n`, is that of
///   all guests who are still in. It adds `n` to the box's own balance.
/// - A guest leaves by lowering the count if the pair still names its box. A box does not come back to the cell, and its
///   memory is not used anew while a guest is in, so the name is proof. Otherwise the guest was among the `n`, and takes one
///   off the balance.
/// - So the balance starts at zero, goes down by one for each of the `n` and up by `n` once. Before the writer has added it
///   is below zero or untouched, and thereafter it is how many are still in. Exactly one step leads to zero with the `n`
///   added: that of the writer when all have left, else that of the last guest. Whoever takes it frees the box.
///
/// Each step that gives something up releases what was read or written before it, and each that may free acquires it.
package final class SnapshotCell<Value: Sendable>: Sendable {
    private struct Box: ~Copyable {
        let value: Value
        /// The guests that the box was taken from the cell with, less those that have left since.
        let balance = Atomic<Int>(0)
    }

    /// The box, as the bits of a pointer, and the number of its guests.
    private let pair: Atomic<WordPair>
    private let writers = Mutex(())

    /// A cell that holds `value`.
    package init(_ value: Value) {
        pair = Atomic(Self.pair(of: value))
    }

    deinit {
        // Nobody is in: a guest holds on to the cell.
        Self.free(Self.box(pair.load(ordering: .acquiring)))
    }

    /// The value as it is now.
    package func load() -> Value { read { $0 } }

    /// Looks at the value as it is now. It stays as it is, and alive, until `body` returns, whatever writers do meanwhile.
    package func read<R, E: Error>(_ body: (Value) throws(E) -> R) throws(E) -> R {
        let box = enter()
        defer { leave(box) }
        return try body(box.pointee.value)
    }

    /// Replaces the value by what `body` makes of it. Writers wait for each other; what one has put in its place, the next
    /// one finds. When `body` throws, the value stays.
    package func update<R: Sendable, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        try writers.withLock { _ throws(E) in
            var value = load()
            let result = try body(&value)
            let old = pair.exchange(Self.pair(of: value), ordering: .acquiringAndReleasing)
            settle(Self.box(old), by: Int(old.second))
            return result
        }
    }

    private func enter() -> UnsafeMutablePointer<Box> {
        var seen = pair.load(ordering: .relaxed)
        while true {
            let wanted = WordPair(first: seen.first, second: seen.second &+ 1)
            let (isDone, found) = pair.weakCompareExchange(
                expected: seen, desired: wanted, successOrdering: .acquiring, failureOrdering: .relaxed
            )
            if isDone { return Self.box(seen) }
            seen = found
        }
    }

    private func leave(_ box: UnsafeMutablePointer<Box>) {
        let name = UInt(bitPattern: box)
        var seen = pair.load(ordering: .relaxed)
        while seen.first == name {
            let wanted = WordPair(first: name, second: seen.second &- 1)
            let (isDone, found) = pair.weakCompareExchange(
                expected: seen, desired: wanted, successOrdering: .releasing, failureOrdering: .relaxed
            )
            if isDone { return }
            seen = found
        }
        settle(box, by: -1)
    }

    /// Changes the balance of a box that is out of the cell, and frees the box when that was the last change. Afterwards it
    /// may be gone.
    private func settle(_ box: UnsafeMutablePointer<Box>, by change: Int) {
        let balance = box.pointee.balance.add(change, ordering: .acquiringAndReleasing).newValue
        if balance == 0 { Self.free(box) }
    }

    private static func pair(of value: Value) -> WordPair {
        let box = UnsafeMutablePointer<Box>.allocate(capacity: 1)
        box.initialize(to: Box(value: value))
        return WordPair(first: UInt(bitPattern: box), second: 0)
    }

    private static func box(_ pair: WordPair) -> UnsafeMutablePointer<Box> {
        // The bits were a pointer's: a cell always holds a box.
        UnsafeMutablePointer<Box>(bitPattern: pair.first).unsafelyUnwrapped
    }

    private static func free(_ box: UnsafeMutablePointer<Box>) {
        box.deinitialize(count: 1)
        box.deallocate()
    }
}
