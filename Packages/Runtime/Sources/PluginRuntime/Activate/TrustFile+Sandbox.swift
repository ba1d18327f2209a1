public import PluginCore
public import Registry
public import Trust

extension TrustFile {
    /// Creates the trust store of a sandbox, without reading it.
    ///
    /// - Parameter shipped: the host's file, which need not exist.
    public init(shipped: FilePath?, sandbox: Sandbox) {
        self.init(shipped: shipped, own: sandbox.trust)
    }
}
