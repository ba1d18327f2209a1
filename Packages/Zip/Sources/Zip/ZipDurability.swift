/// What is promised about the disk when a call returns.
public enum ZipDurability: Hashable, Sendable {
    /// The kernel has the bytes; a power cut may lose them.
    case buffered
    /// Every file and folder written has been fsynced, and so has the folder that holds them, so that
    /// a rename that follows never shows a half-written tree after a power cut.
    case synced
}
