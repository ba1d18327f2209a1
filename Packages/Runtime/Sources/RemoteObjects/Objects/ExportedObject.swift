internal import ExtensionProtocol

/// An object of this process that the other process can call.
package protocol ExportedObject: Sendable {
    /// Runs a function.
    ///
    /// - Parameters:
    ///   - function: The number of the function.
    ///   - arguments: The arguments in the form of the function.
    ///   - result: Receives the result in the form of the function.
    /// - Throws: Any error, which the caller gets; ``WireReader/Malformed`` for arguments in another form.
    func run(_ function: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter) async throws
}
