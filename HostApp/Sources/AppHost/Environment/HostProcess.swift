import HostSystem
import Console
import PluginRuntime

/// The settings of the host's process as a whole, which plugins share.
enum HostProcess {
    /// Applies the settings; must be called before anything else.
    ///
    /// - Throws: `DescriptorLimit.TooLow`, `OutputError`.
    static func begin(isJSON: Bool) throws {
        StandardOutput.ignoreBrokenPipes()
        try DescriptorLimit.raise()
        try StandardOutput.reserve()
        _ = PluginOutput.take { StandardOutput.relay($0, from: $1) }
        StandardOutput.beforeWriting { PluginOutput.flush() }
        let stream = isJSON ? StandardStream.output : .error
        ProcessEnd.protect(status: Console.ExitStatus.software.rawValue, descriptor: stream.descriptor) {
            let report = endedByPlugin($0, function: $1)
            return isJSON ? report.json.text(pretty: true) + "\n" : report.text(for: Terminal(.error))
        }
    }

    /// Ends the process without running any more plugin code.
    static func end(as ender: ProcessEnd.Ender = .command, _ status: Console.ExitStatus) -> Never {
        StandardOutput.settle()
        ProcessEnd.now(as: ender, status: status.rawValue)
    }

    private static func endedByPlugin(_ bundle: String, function: String) -> FailureReport {
        FailureReport(
            code: "hostEnded", subject: bundle, message: "\(bundle) called \(function)(), which ends the host",
            remedy: "tell the plugin's author: a plugin must not end the process that it shares with others")
    }
}
