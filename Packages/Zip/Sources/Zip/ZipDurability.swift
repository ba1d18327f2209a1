/// The guarantee about the disk when a call returns.
public enum ZipDurability: Hashable, Sendable {
    /// The data is in the kernel's cache. A power cut may lose it.
    case buffered
    /// All written files and folders, and their parent folder, were synced.
    ///
    /// A subsequent rename never exposes an incomplete tree after a power cut.
    case synced
}
