/// Lets changes of the sandbox happen one after the other, in the order in which they were asked for.
///
/// The lock of the sandbox keeps other hosts out; this keeps apart two calls of one host, whose installs would sweep each
/// other's half-done work away.
actor Turns {
    /// Whose turn it is, as an object without content.
    private final class Turn: Sendable {}

    @TaskLocal private static var mine: Turn?

    private var current: Turn?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs `body` when all that came before are done. Called from within `body`, say by a bundle that is being replaced
    /// and installs another on its way out, it is part of the same turn.
    func take<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        if let mine = Self.mine, mine === current { return try await body() }
        let turn = Turn()
        if current == nil {
            current = turn
        } else {
            await withCheckedContinuation { waiting.append($0) }
            current = turn
        }
        defer { pass() }
        return try await Self.$mine.withValue(turn) { try await body() }
    }

    /// Hands the turn on, without a moment in which somebody could come in between.
    private func pass() {
        if waiting.isEmpty {
            current = nil
        } else {
            current = Turn()
            waiting.removeFirst().resume()
        }
    }
}
