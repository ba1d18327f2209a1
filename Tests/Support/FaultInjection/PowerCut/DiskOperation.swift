/// A change of a file system, or a sync, as requested by a program. Files and folders are identified by permanent numbers.
enum DiskOperation: Hashable {
    /// Create a file or folder with its first name.
    case create(DiskNode.ID, in: DiskNode.ID, as: String)
    /// Add a name to a file.
    case link(DiskNode.ID, in: DiskNode.ID, as: String)
    /// Remove a name. A file without names is deleted.
    case unlink(from: DiskNode.ID, String)
    /// Move a name, replacing an existing one.
    case rename(DiskNode.ID, from: DiskNode.ID, String, to: DiskNode.ID, String)
    /// Exchange two names.
    case exchange(DiskNode.ID, in: DiskNode.ID, String, with: DiskNode.ID, of: DiskNode.ID, String)
    case write(DiskNode.ID, at: Int, [UInt8])
    case truncate(DiskNode.ID, to: Int)
    case setMode(DiskNode.ID, UInt16)
    /// Wait until the content of a file, or the names in a folder, are on the disk.
    case sync(DiskNode.ID, withMode: Bool)
    /// Wait until everything is on the disk.
    case syncAll

    /// A part of the file system that one sync makes durable, so it is lost or kept as a whole.
    enum Unit: Hashable {
        case content(DiskNode.ID)
        case mode(DiskNode.ID)
        case names(in: DiskNode.ID)
    }

    /// The part that the operation changes, or nil for a sync.
    var unit: Unit? {
        switch self {
        case .create(_, in: let folder, as: _), .link(_, in: let folder, as: _), .unlink(from: let folder, _),
            .rename(_, from: _, _, to: let folder, _), .exchange(_, in: let folder, _, with: _, of: _, _):
            .names(in: folder)
        case .write(let file, at: _, _), .truncate(let file, to: _): .content(file)
        case .setMode(let node, _): .mode(node)
        case .sync, .syncAll: nil
        }
    }

    /// Returns whether a later sync makes this operation durable.
    func lasts(after wait: DiskOperation) -> Bool {
        guard let unit else { return false }
        guard case .sync(let node, let withMode) = wait else { return wait == .syncAll }
        switch self {
        // A move between two folders is a single change, so syncing either folder makes it durable.
        case .rename(_, from: let source, _, to: let target, _): return node == source || node == target
        case .exchange(_, in: let one, _, with: _, of: let other, _): return node == one || node == other
        default: return unit == .content(node) || unit == .names(in: node) || (withMode && unit == .mode(node))
        }
    }
}

/// A file or folder of a disk image.
struct DiskNode {
    typealias ID = Int

    enum Content {
        case file([UInt8])
        case folder([String: ID])
        case link(to: String)
    }

    var content: Content
    var mode: UInt16
}
