/// A message that expects a reply.
package protocol RequestMessage: WireValue {
    associatedtype Reply: WireValue
    static var method: MessageNumber { get }
}

/// A message without a reply.
package protocol EventMessage: WireValue {
    static var method: MessageNumber { get }
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
