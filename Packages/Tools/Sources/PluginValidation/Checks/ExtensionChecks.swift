import Console
import ExtensionHost
import PluginCore
import PluginExtension
import PluginRuntime
import Processes

/// The number of random requests to each extension.
private let rounds = 50
/// The number of requests after which leaks are measured, more than the descriptors for which a process has room at first.
private let requests = 100
/// The number of requests before that, which fill caches.
private let warmUp = 5
/// The number of descriptors that may be open in addition, such as those of a pool.
private let descriptorTolerance = 8
/// The failures after which a check stops, because the host disables an extension that fails more often.
private let failureLimit = 2

/// The checks of a plugin's extensions, which run in processes of their own, as in a host.
extension CheckRun {
    /// Sends sample input to each extension.
    func extensionsAnswer() async throws {
        try await forEachExtension { identifier, sample in
            if let failure = await host.startFailure(of: identifier) { return failure }
            var next = sample
            while let input = next {
                next = nil
                switch await host.answer(input) {
                case .result(let result): next = input.next(after: result)
                case .showsPage: note("\(input.extension): it shows a page, which waits for a user")
                case .refused(let sentence): warn("\(input.extension): \(sentence)")
                case .failed(let sentence): return sentence
                }
            }
            return nil
        }
    }

    /// Sends random input to each extension, of the types that it accepts.
    func sendExtensionsGarbage() async throws {
        var garbage = Garbage(seed: settings.seed)
        try await forEachExtension { _, sample in
            guard let sample, await isAnswered(sample) else { return nil }
            for _ in 0..<rounds {
                let input = garbage.input(like: sample)
                if case .failed(let sentence) = await host.answer(input) {
                    return "\(sentence), with \(CheckProgress.plain(input.words))"
                }
            }
            return nil
        }
    }

    /// Sends many requests to each extension's process, and lets it end.
    func findExtensionLeaks() async throws {
        try await forEachExtension { identifier, sample in
            guard let sample, await isAnswered(sample) else { return nil }
            if host.extensions.waitingProcesses[identifier] == nil {
                note("\(identifier): each request has a process of its own")
            } else if let problem = await descriptorLeak(sample) {
                fail("\(identifier): \(problem)")
            }
            host.begin("end the process of \(identifier)")
            await host.extensions.endAll()
            for error in host.log.errors(ofExtension: identifier) {
                fail("\(identifier): the process did not end when it was asked to: \(error)")
            }
            return nil
        }
    }

    /// Returns what is left of many requests to a process that waits for them.
    private func descriptorLeak(_ sample: SampleInput) async -> String? {
        for _ in 0..<warmUp { _ = await host.answer(sample) }
        guard let process = host.extensions.waitingProcesses[sample.extension] else { return nil }
        guard let before = Self.descriptors(of: process) else {
            warn("\(sample.extension): this system does not tell how many descriptors are open")
            return nil
        }
        for _ in 0..<requests {
            if case .failed(let sentence) = await host.answer(sample) { return sentence }
        }
        guard host.extensions.waitingProcesses[sample.extension] == process, let after = Self.descriptors(of: process)
        else { return nil }
        let growth = after - before
        return growth > descriptorTolerance ? "\(growth) more descriptors are open after \(requests) requests" : nil
    }

    /// Returns the number of open descriptors of an extension's process; `nil` if the system doesn't tell.
    private static func descriptors(of process: Int32) -> Int? {
        // Only root may count those of a confined process. The room for them shows one that stays open after each request.
        ProcessUsage.descriptors(ofProcess: process) ?? ProcessUsage.descriptorRoom(ofProcess: process)
    }

    /// Returns whether an extension answers sample input. If not, the check `extensions-answer` reports that.
    private func isAnswered(_ sample: SampleInput) async -> Bool {
        if await host.startFailure(of: sample.extension) == nil {
            guard case .failed = await host.answer(sample) else { return true }
        }
        warn("\(sample.extension): it does not answer sample input, see the check \"extensions-answer\"")
        return false
    }

    /// Calls a closure with sample input for each extension.
    ///
    /// - Parameter body: gets no input if the extension accepts none of the samples, and returns the way in which the extension failed; `nil`
    ///   if it did not.
    private func forEachExtension(_ body: (BundleIdentifier, SampleInput?) async throws -> String?) async throws {
        try require(!manifest.extensions.isEmpty, "noExtensions")
        var failures = 0
        for declaration in manifest.extensions {
            guard failures < failureLimit else {
                warn("\(declaration.identifier): it was not run after \(failures) failures")
                continue
            }
            let sample = try SampleInput.accepted(by: declaration, in: host)
            if sample == nil { warn("\(declaration.identifier): its activation rule accepts none of the sample items") }
            if let failure = try await body(declaration.identifier, sample) {
                fail("\(declaration.identifier): \(failure)")
                failures += 1
            }
        }
        await host.extensions.endAll()
    }
}

extension ValidationHost {
    /// The answer of an extension to a request.
    enum ExtensionAnswer {
        case result(ExtensionResult)
        case showsPage
        /// The extension, or the runtime before it, has refused the request.
        case refused(String)
        /// The process has crashed, took too long, or broke a rule of the protocol.
        case failed(String)
    }

    /// The codes of the errors that an extension's code is to blame for.
    private static let faults: Set = [
        "extensionCrashed", "extensionOutOfMemory", "extensionTimedOut", "extensionProtocolBroken", "extensionMismatch",
    ]

    /// Returns why an extension cannot be started; `nil` if it can.
    func startFailure(of identifier: BundleIdentifier) async -> String? {
        begin("start \(identifier)")
        do {
            try await extensions.tryStart(identifier)
            return nil
        } catch {
            return error.sentence
        }
    }

    /// Sends a request to an extension, whose limits are those of its point and its manifest.
    func answer(_ sample: SampleInput) async -> ExtensionAnswer {
        begin("run \(sample.extension) with \(sample.words)")
        do {
            return .result(try await extensions.run(sample.extension, input: sample.input, items: sample.items))
        } catch {
            let code = (error as? AtriumError)?.code.name ?? ""
            if code == AtriumError.Code.pageNotShown.name { return .showsPage }
            return Self.faults.contains(code) ? .failed(error.sentence) : .refused(error.sentence)
        }
    }
}
