import Console
import ExtensionHost
import PluginCore

extension ValidationHost {
    /// The answer of an extension to a request.
    enum ExtensionAnswer {
        case result(ExtensionResult)
        /// The extension, or the runtime before it, has refused the request.
        case refused(String)
        /// The process has crashed, took too long, or broke a rule of the protocol.
        case failed(String)
    }

    /// The codes of the errors that an extension's code is to blame for.
    private static let faults: Set<String> = [
        "extensionCrashed", "extensionOutOfMemory", "extensionTimedOut", "extensionProtocolBroken", "extensionMismatch",
    ]

    /// Returns why an extension cannot be started; `nil` if it can.
    func startFailure(of identifier: BundleIdentifier) async -> String? {
        begin("start \(identifier)")
        do {
            try await extensions.tryStart(identifier)
            return nil
        } catch {
            return FailureReport.of(error).report.message
        }
    }

    /// Sends a request to an extension, whose limits are those of its point and its manifest.
    func answer(_ sample: SampleInput) async -> ExtensionAnswer {
        begin("run \(sample.extension) with \(sample.words)")
        do {
            return .result(try await extensions.run(sample.extension, input: sample.input, items: sample.items))
        } catch {
            let sentence = FailureReport.of(error).report.message
            let code = (error as? AtriumError)?.code.name ?? ""
            return Self.faults.contains(code) ? .failed(sentence) : .refused(sentence)
        }
    }
}
