import PluginCore
import Testing

/// Returns the code of the Atrium error that a closure throws, or nil.
func errorCode<R>(_ body: () throws -> R) -> AtriumError.Code? {
    #expect(throws: AtriumError.self) { try body() }?.code
}

/// Returns the Atrium error that a closure throws, which it must.
func refusal<R>(_ body: () async throws -> R) async -> AtriumError? {
    await #expect(throws: AtriumError.self) { try await body() }
}
