import PluginRouter
internal import Synchronization

/// The routes under heads that were asked for lately, each group good for as long as the registry is what it was.
///
/// Bounded by the number of routes: groups lie in two halves, the younger and the older. One that is asked for moves to the
/// younger half; when that is full it becomes the older one, and what was in there is forgotten.
final class RouteCache: Sendable {
    /// One state of the registry, as one connection sees it.
    struct Generation: Hashable, Sendable {
        /// Which connection.
        let connection: Int
        /// How often this process has written.
        let writes: Int
        /// What SQLite counts of others' writes.
        let version: Int
    }

    /// The routes under one head.
    struct Group: Sendable {
        /// The registry's numbers of the routes, in order.
        let numbers: [Int]
        let list: RouteList

        /// A head without routes takes room too: links from outside may ask for any.
        var cost: Int { max(1, numbers.count) }
    }

    private struct State {
        var generation: Generation?
        var young: [String: Group] = [:]
        var old: [String: Group] = [:]
        var youngCost = 0
    }

    /// How many routes each half has room for; a head with more is read anew every time.
    static let room = 16_384

    private let room: Int
    private let state = Mutex(State())

    init(room: Int = RouteCache.room) {
        self.room = room
    }

    /// How many routes are kept, where a head without any counts as one.
    var cost: Int { state.withLock { ($0.young.values.map(\.cost) + $0.old.values.map(\.cost)).reduce(0, +) } }

    /// The routes under a head as they were kept in that generation; `nil` when they have to be read.
    func group(_ head: String, in generation: Generation) -> Group? {
        state.withLock { state in
            guard state.generation == generation else { return nil }
            if let group = state.young[head] { return group }
            guard let group = state.old.removeValue(forKey: head) else { return nil }
            put(group, head, &state)
            return group
        }
    }

    /// Keeps what was read after the generation was.
    func keep(_ group: Group, _ head: String, in generation: Generation) {
        guard group.cost <= room else { return }
        state.withLock { state in
            if state.generation != generation { state = State(generation: generation) }
            state.old[head] = nil
            put(group, head, &state)
        }
    }

    private func put(_ group: Group, _ head: String, _ state: inout State) {
        if state.youngCost + group.cost > room { (state.old, state.young, state.youngCost) = (state.young, [:], 0) }
        if let before = state.young.updateValue(group, forKey: head) { state.youngCost -= before.cost }
        state.youngCost += group.cost
    }
}
