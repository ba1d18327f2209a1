import PluginCore
import Testing

/// Expects that a body throws an error, and returns the error.
///
/// - Parameters:
///   - code: The code of the error.
///   - reason: The name of its reason, or the description with all values; `nil` if the test checks it otherwise.
///   - subject: Its subject; `nil` if the test checks it otherwise.
@discardableResult
func failing(
    _ code: AtriumError.Code, because reason: String? = nil, of subject: String? = nil,
    at location: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) throws -> AtriumError {
    let error = try #require(throws: AtriumError.self, sourceLocation: location) { _ = try body() }
    error.expect(code, because: reason, of: subject, at: location)
    return error
}

/// Expects that an asynchronous body throws an error, and returns the error.
@discardableResult
func failingAsync(
    _ code: AtriumError.Code, because reason: String? = nil, of subject: String? = nil,
    at location: SourceLocation = #_sourceLocation, _ body: () async throws -> some Any
) async throws -> AtriumError {
    let error = try await #require(throws: AtriumError.self, sourceLocation: location) { _ = try await body() }
    error.expect(code, because: reason, of: subject, at: location)
    return error
}

extension AtriumError {
    func expect(_ code: Code, because reason: String?, of subject: String?, at location: SourceLocation) {
        #expect(self.code == code, "\(self)", sourceLocation: location)
        if let subject { #expect(self.subject == subject, "\(self)", sourceLocation: location) }
        guard let reason else { return }
        let found = self.reason.map { reason.contains("(") ? $0.description : $0.name }
        #expect(found == reason, "\(self)", sourceLocation: location)
    }
}
