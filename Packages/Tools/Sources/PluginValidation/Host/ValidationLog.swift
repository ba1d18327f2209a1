import Console
import PluginCore
import Synchronization

/// The messages about a bundle that a host would log.
final class ValidationLog: Sendable {
    private let entries = Mutex<[(bundle: String, reason: ErrorReason)]>([])

    func add(_ bundle: String, _ reason: ErrorReason) { entries.withLock { $0.append((bundle, reason)) } }

    /// Returns the messages about a bundle's end that came too late or not at all.
    func lateEnds(of bundle: BundleIdentifier) -> [String] {
        reasons(of: bundle).filter { ["unloadedDuringCalls", "unloadedEarly"].contains($0.name) }.map(\.sentence)
    }

    /// Returns the errors of an extension's process that nobody waited for.
    func errors(ofExtension identifier: BundleIdentifier) -> [String] {
        reasons(of: identifier).filter { $0.values["code"] != nil }.map(\.sentence)
    }

    /// Returns the messages about texts that are missing in the user's language, or that cannot be read.
    func textProblems(of bundle: BundleIdentifier) -> [String] {
        reasons(of: bundle).filter { reason in
            if reason.name == "textsNotShown" { return true }
            guard reason.name == "verbatim", case .text(let text) = reason.values["text"] else { return false }
            return text.hasPrefix("\"") && text.contains("\" has no text: ")
        }.map(\.sentence)
    }

    private func reasons(of bundle: BundleIdentifier) -> [ErrorReason] {
        entries.withLock { $0 }.filter { $0.bundle == bundle.text }.map(\.reason)
    }
}
