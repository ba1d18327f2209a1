package import PluginExtension

/// A message, with the types of its reply and of its values in their order. A message without a reply has the type `Never` for it.
///
/// ```swift
/// let version = try await connection.request(Messages.hello, 1, 2)
/// ```
package struct Message<Reply, each Value: WireValue>: Sendable {
    /// The number, which is part of the protocol and never changes its meaning.
    package let number: UInt16

    fileprivate init(_ number: UInt16) {
        self.number = number
    }
}

/// The messages of the protocol.
package enum Messages {
    // From the host to the process.

    /// The first message: the oldest and the newest version of the protocol that the host speaks. The reply is the one that both use from
    /// then on.
    package static let hello = Message<UInt16, UInt16, UInt16>(1)
    /// The second message: the extension or plugin to run.
    package static let launch = Message<Launch.Reply, Launch>(2)
    /// A request to the extension.
    package static let begin = Message<RequestContent, RequestContent>(3)
    /// An announcement that a request's time is about to end: its number, and the remaining time in milliseconds.
    package static let expire = Message<Never, UInt32, UInt32>(4)
    /// The order to end: the principal object prepares for it, the reply is sent, and the process exits.
    package static let end = Message<EmptyReply>(5)

    // From the process to the host.

    /// An address that the host opens on behalf of the extension.
    package static let open = Message<EmptyReply, String>(16)
    /// The completed part of a request: its number, and the part from 0 to 1.
    package static let progress = Message<Never, UInt32, Double>(17)
    /// A message of the extension's log: the name of the level, and the text.
    package static let log = Message<Never, String, String>(18)
    /// A request for a resource of the bundle by its path below the folder of resources. The host compares the content with the bundle's seal.
    package static let resource = Message<ItemAttachment, String>(19)
    /// A request to hide a widget of the extension's bundle, or to show it again: its identifier, and whether it has something to show.
    package static let setHasContent = Message<EmptyReply, String, Bool>(20)

    // Between a plugin's process and its host, in both directions.

    /// A call of a function of an object in the other process, and its result.
    package static let call = Message<TransferredValues, Call>(32)
    /// A call without a result. The receiver performs those with one context one after the other.
    package static let notify = Message<Never, Call>(33)
    /// The end of the sender's use of an object: its number, and how often the sender has received it since the last release.
    package static let release = Message<Never, UInt32, UInt32>(34)
    /// The number and the content of a page, which is nil if the sender no longer knows the page by this number.
    ///
    /// It is sent before the first reference to the page, after a change, and after the last reference was released.
    static let pageChanged = Message<Never, UInt32, TransferredBytes?>(35)
}

/// A reply without a value.
package struct EmptyReply: WireValue {
    package init() {}
    package init(from reader: inout WireReader) {}
    package func write(to writer: inout WireWriter) {}
}
