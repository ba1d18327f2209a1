package import PluginCore

/// A rule of the protocol that the other process has broken. The connection ends with it.
package enum ProtocolViolation: Error, Hashable, Sendable {
    case frameTooLarge(Int)
    case kindUnknown(UInt8)
    case messageUnknown(UInt16)
    case messageMalformed(UInt16)
    case tooManyFiles
    case filesMissing
    /// No value of a message refers to a descriptor that came with it.
    case filesUnused
    /// More descriptors of the other process are open than the limit.
    case tooManyFilesHeld(Int)
    case replyWithoutRequest(UInt32)
    case requestRepeated(UInt32)
    case tooManyRequests(Int)
    case tooManyReplies(Int)
    /// The values of calls that are handled at the same time have more bytes than the limit.
    case tooManyValues(Int)
    /// The other process does not read what is sent to it, so that more bytes wait than the limit.
    case notReading(Int)

    /// The violation as a reason of an error.
    package var reason: ErrorReason {
        switch self {
        case .frameTooLarge(let size):
            ErrorReason("frameTooLarge", ["size": .integer(size), "limit": .integer(Frame.maximumBody)])
        case .kindUnknown(let kind): ErrorReason("frameKindUnknown", ["kind": .integer(Int(kind))])
        case .messageUnknown(let method): ErrorReason("messageUnknown", ["message": .integer(Int(method))])
        case .messageMalformed(let method): ErrorReason("messageMalformed", ["message": .integer(Int(method))])
        case .tooManyFiles: ErrorReason("messageFilesMany", ["limit": .integer(Frame.maximumFiles)])
        case .filesMissing: ErrorReason("messageFilesMissing")
        case .filesUnused: ErrorReason("messageFilesUnused")
        case .tooManyFilesHeld(let limit): ErrorReason("messageFilesHeld", ["limit": .integer(limit)])
        case .replyWithoutRequest(let number): ErrorReason("replyWithoutRequest", ["request": .integer(Int(number))])
        case .requestRepeated(let number): ErrorReason("requestNumberUsed", ["request": .integer(Int(number))])
        case .tooManyRequests(let limit): ErrorReason("requestsMany", ["limit": .integer(limit)])
        case .tooManyReplies(let limit): ErrorReason("cancellationsIgnored", ["limit": .integer(limit)])
        case .tooManyValues(let limit): ErrorReason("valuesMany", ["limit": .integer(limit)])
        case .notReading(let limit): ErrorReason("messagesUnread", ["limit": .integer(limit)])
        }
    }
}
