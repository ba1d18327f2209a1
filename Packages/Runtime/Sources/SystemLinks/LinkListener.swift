import HostSystem
public import PluginCore
public import Registry

/// The receiver of links for an app that runs, from other processes of the same user.
///
/// ```swift
/// if let listener = try LinkListener.start(in: sandbox) {
///     for await link in listener.links { await session.open(link) }
/// }
/// ```
///
/// The links come from outside of the app, so they are opened for the origin `external`.
public final class LinkListener: Sendable {
    /// The largest number of links that wait to be opened.
    public static let waitingLinks = 16

    /// The links, in the order in which they have arrived. The sequence ends with ``end()``.
    public let links: AsyncStream<HandedLink>
    private let continuation: AsyncStream<HandedLink>.Continuation
    private let listener: LineListener

    private init(
        _ links: AsyncStream<HandedLink>, _ continuation: AsyncStream<HandedLink>.Continuation, _ listener: LineListener
    ) {
        self.links = links
        self.continuation = continuation
        self.listener = listener
    }

    deinit { end() }

    /// Starts listening in a sandbox.
    ///
    /// - Returns: `nil` if another process of the app listens already, or the sandbox does not exist yet.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    public static func start(in sandbox: Sandbox) throws(AtriumError) -> LinkListener? {
        let place = LinkPlace(sandbox)
        guard try place.prepare() else { return nil }
        let (links, continuation) = AsyncStream.makeStream(
            of: HandedLink.self, bufferingPolicy: .bufferingOldest(waitingLinks))
        let listener = try LineListener.start(LinkPlace.socket, in: place.folder) { line in
            guard let link = HandedLink(line: line) else { return HandedLink.refused }
            if case .enqueued = continuation.yield(link) { return HandedLink.taken }
            return HandedLink.busy
        }
        return listener.map { LinkListener(links, continuation, $0) }
    }

    /// Stops listening. Links that have arrived are still in ``links``.
    public func end() {
        listener.end()
        continuation.finish()
    }
}

/// The place of the socket in a sandbox.
struct LinkPlace {
    /// The name of the socket.
    static let socket = "socket"
    private let parent: FilePath
    private let sandbox: Sandbox

    init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
        parent = sandbox.hostData.appending("tmp")
    }

    /// The folder of the socket, which only this user may open.
    var folder: FilePath { parent.appending("links") }

    /// Creates the folder.
    ///
    /// - Returns: `false` if the sandbox does not exist yet.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`, also if somebody else may open the folder.
    func prepare() throws(AtriumError) -> Bool {
        try sandbox.requireOwn([folder])
        guard try FileSystem.item(at: parent) != nil else { return false }
        try FileSystem.makePrivateFolder(folder)
        return true
    }
}
