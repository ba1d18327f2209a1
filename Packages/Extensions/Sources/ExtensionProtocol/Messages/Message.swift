package import PluginCore

/// A message that expects a reply, with the types of its values in their order.
///
/// ```swift
/// let version = try await connection.request(Messages.hello, 1, 2)
/// ```
package struct RequestMessage<Reply: WireValue, each Value: WireValue>: Sendable {
    package let number: MessageNumber

    fileprivate init(_ number: MessageNumber) {
        self.number = number
    }
}

/// A message without a reply, with the types of its values in their order.
package struct EventMessage<each Value: WireValue>: Sendable {
    package let number: MessageNumber

    fileprivate init(_ number: MessageNumber) {
        self.number = number
    }
}

/// The messages of the protocol.
package enum Messages {
    /// The first message: the oldest and the newest version of the protocol that the host speaks. The reply is the one that both use from
    /// then on.
    package static let hello = RequestMessage<UInt16, UInt16, UInt16>(.hello)
    /// The second message: the extension or plugin to run.
    package static let launch = RequestMessage<Launch.Reply, Launch>(.launch)
    /// A request to the extension.
    package static let begin = RequestMessage<Begin.Reply, Begin>(.begin)
    /// An announcement that a request's time is about to end: its number, and the remaining time in milliseconds.
    package static let expire = EventMessage<UInt32, UInt32>(.expire)
    /// The order to end: the principal object prepares for it, the reply is sent, and the process exits.
    package static let end = RequestMessage<EmptyReply>(.end)

    /// An address that the host opens on behalf of the extension.
    package static let open = RequestMessage<EmptyReply, String>(.open)
    /// The completed part of a request: its number, and the part from 0 to 1.
    package static let progress = EventMessage<UInt32, Double>(.progress)
    /// A message of the extension's log: the name of the level, and the text.
    package static let log = EventMessage<String, String>(.log)
    /// A request for a resource of the bundle by its path below the folder of resources. The host compares the content with the bundle's seal.
    package static let resource = RequestMessage<ItemAttachment, String>(.resource)
    /// A request to hide a widget of the extension's bundle, or to show it again: its identifier, and whether it has something to show.
    package static let setHasContent = RequestMessage<EmptyReply, String, Bool>(.setHasContent)

    /// A call of a function of an object in the other process, and its result.
    package static let call = RequestMessage<TransferredValues, Call>(.call)
    /// A call without a result. The receiver performs those with one context one after the other.
    package static let notify = EventMessage<Call>(.notify)
    /// The end of the sender's use of an object: its number, and how often the sender has received it since the last release.
    package static let release = EventMessage<UInt32, UInt32>(.release)
    /// The number and the content of a page, which is nil if the sender no longer knows the page by this number.
    ///
    /// It is sent before the first reference to the page, after a change, and after the last reference was released.
    package static let pageChanged = EventMessage<UInt32, TransferredBytes?>(.pageChanged)
}

/// The numbers of the messages. They are part of the protocol and never change their meaning.
package enum MessageNumber: UInt16, CaseIterable, Sendable {
    // From the host to the process.
    case hello = 1
    case launch = 2
    case begin = 3
    case expire = 4
    case end = 5
    // From the process to the host.
    case open = 16
    case progress = 17
    case log = 18
    case resource = 19
    case setHasContent = 20
    // Between a plugin's process and its host, in both directions.
    case call = 32
    case notify = 33
    case release = 34
    case pageChanged = 35
}

/// A reply without a value.
package struct EmptyReply: WireValue {
    package init() {}
    package init(from reader: inout WireReader) {}
    package func write(to writer: inout WireWriter) {}
}
