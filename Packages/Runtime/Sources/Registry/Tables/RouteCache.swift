import PluginRouter
internal import Synchronization

/// A cache of the routes by first segment, valid for one generation of the registry.
///
/// Its size is limited by the number of routes, in two halves: a group that is used moves to the younger half. When that is
/// full it becomes the older half, and the previous older half is discarded.
final class RouteCache: Sendable {
    /// The routes with the same first segment.
    struct Group: Sendable {
        /// The row numbers of the routes, in order.
        let numbers: [Int]
        let list: RouteList

        /// The cost in the cache; an empty group costs something too, because external links may have any first segment.
        var cost: Int { max(1, numbers.count) }
    }

    private struct State {
        var generation: RegistryGeneration?
        var young: [String: Group] = [:]
        var old: [String: Group] = [:]
        var youngCost = 0
    }

    /// The maximum number of routes in each half; a larger group isn't cached.
    static let room = 16_384

    private let room: Int
    private let state = Mutex(State())

    init(room: Int = RouteCache.room) {
        self.room = room
    }

    /// The number of cached routes, where an empty group counts as one.
    var cost: Int { state.withLock { ($0.young.values.map(\.cost) + $0.old.values.map(\.cost)).reduce(0, +) } }

    /// Returns the routes of a first segment, as cached in a generation.
    ///
    /// - Returns: `nil` when they have to be read.
    func group(_ firstSegment: String, in generation: RegistryGeneration) -> Group? {
        state.withLock { state in
            guard state.generation == generation else { return nil }
            if let group = state.young[firstSegment] { return group }
            guard let group = state.old.removeValue(forKey: firstSegment) else { return nil }
            put(group, firstSegment, &state)
            return group
        }
    }

    /// Caches routes that were read after the generation was determined.
    func store(_ group: Group, _ firstSegment: String, in generation: RegistryGeneration) {
        guard group.cost <= room else { return }
        state.withLock { state in
            if state.generation != generation { state = State(generation: generation) }
            state.old[firstSegment] = nil
            put(group, firstSegment, &state)
        }
    }

    private func put(_ group: Group, _ firstSegment: String, _ state: inout State) {
        if state.youngCost + group.cost > room { (state.old, state.young, state.youngCost) = (state.young, [:], 0) }
        if let before = state.young.updateValue(group, forKey: firstSegment) { state.youngCost -= before.cost }
        state.youngCost += group.cost
    }
}
