internal import CConfinement
package import PluginCore

extension AtriumError.Code {
    /// A process that could not be confined, and must not load plugin code.
    package static let confinementFailed = Self("confinementFailed")
}

extension AtriumError {
    /// Returns the error of a system call that has just failed.
    static func confinement(of call: String) -> AtriumError {
        let message = String(cString: confinement_message(confinement_errno()))
        return AtriumError(.confinementFailed, call, reason: "systemMessage", ["message": "\(message)"])
    }
}
