import PluginCore
import Testing

/// Expects that a body throws an error with a code, and returns the error.
@discardableResult
func failing(
    _ code: AtriumError.Code, at location: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) throws -> AtriumError {
    let error = try #require(throws: AtriumError.self, sourceLocation: location) { _ = try body() }
    #expect(error.code == code, "\(error)", sourceLocation: location)
    return error
}

/// Expects that an asynchronous body throws an error with a code, and returns the error.
@discardableResult
func failingAsync(
    _ code: AtriumError.Code, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> some Any
) async throws -> AtriumError {
    let error = try await #require(throws: AtriumError.self, sourceLocation: location) { _ = try await body() }
    #expect(error.code == code, "\(error)", sourceLocation: location)
    return error
}
