import CProcesses
import Dispatch
import Glibc

/// The sender of the messages that a thread handles, whom the report of a crash of this process names.
///
/// A thread knows it by a variable of its own, so that handling a message costs no call of the system.
package struct MessageSender: Sendable {
    // because: the text is never changed and never freed. A signal handler can read it at any time.
    private nonisolated(unsafe) let text: UnsafePointer<CChar>?

    /// Creates the sender for the process of a bundle's plugin or extension.
    ///
    /// - Parameters:
    ///   - bundle: The version, as text.
    ///   - extension: The identifier of the extension; nil for the plugin.
    package init(_ bundle: String, extension identifier: String?) {
        text = UnsafePointer(strdup(identifier.map { "\(bundle) \($0)" } ?? bundle))
    }

    private init(_ text: UnsafePointer<CChar>?) {
        self.text = text
    }

    /// Lets the calling thread handle messages of a sender, and returns the one before for ``end(_:)``.
    package static func begin(_ sender: MessageSender?) -> MessageSender {
        MessageSender(crash_reports_handle(sender?.text))
    }

    /// Lets the calling thread handle messages of the sender before.
    package static func end(_ before: MessageSender) { _ = crash_reports_handle(before.text) }
}

/// Runs the tasks that handle a sender's messages, on threads of Swift's pool.
package final class MessageExecutor: TaskExecutor {
    private let sender: MessageSender

    package init(for sender: MessageSender) {
        self.sender = sender
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.global().async { [self] in
            let before = MessageSender.begin(sender)
            defer { MessageSender.end(before) }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
