import HostSystem
import PluginCore
public import Registry

/// The handover of a link to the app that runs.
///
/// ```swift
/// if await LinkHandover.send(handed, in: sandbox) { return }    // The running app opens it.
/// ```
public enum LinkHandover {
    /// The time that the running app has to accept the link.
    public static let patience = Duration.seconds(2)

    /// Hands a link over to the process of the app that listens in a sandbox.
    ///
    /// - Returns: `false` if no process of this user listens or accepts the link in time.
    public static func send(_ link: HandedLink, in sandbox: Sandbox, within patience: Duration = patience) async -> Bool
    {
        let folder = LinkPlace(sandbox).folder
        guard (try? sandbox.requireOwn([folder])) != nil else { return false }
        return await withCheckedContinuation { continuation in
            do throws(AtriumError) {
                try DetachedThread.run {
                    let answer = LineListener.exchange(
                        link.line, with: LinkPlace.socket, in: folder,
                        milliseconds: Int64(patience / .milliseconds(1)))
                    continuation.resume(returning: answer == HandedLink.taken)
                }
            } catch {
                continuation.resume(returning: false)
            }
        }
    }
}
