/// One change of a file system, or a wait for it, as a program has asked for it. Files and folders go by numbers, which stay
/// theirs whatever they are called.
enum DiskOperation: Hashable {
    /// A new file or folder gets its first name.
    case create(DiskNode.ID, in: DiskNode.ID, as: String)
    /// A file gets one more name.
    case link(DiskNode.ID, in: DiskNode.ID, as: String)
    /// A name goes; what has no other is gone.
    case unlink(from: DiskNode.ID, String)
    /// A name is moved, over whatever had the new one.
    case rename(DiskNode.ID, from: DiskNode.ID, String, to: DiskNode.ID, String)
    /// Two names are swapped.
    case exchange(DiskNode.ID, in: DiskNode.ID, String, with: DiskNode.ID, of: DiskNode.ID, String)
    case write(DiskNode.ID, at: Int, [UInt8])
    case truncate(DiskNode.ID, to: Int)
    case setMode(DiskNode.ID, UInt16)
    /// Waits until a file's content, or a folder's names, are on the disk.
    case sync(DiskNode.ID, withMode: Bool)
    /// Waits until everything is.
    case syncAll

    /// What one wait makes last, and so what is lost or kept as one.
    enum Unit: Hashable {
        case content(DiskNode.ID)
        case mode(DiskNode.ID)
        case names(in: DiskNode.ID)
    }

    /// Where it belongs; `nil` for a wait.
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

    /// Returns whether another operation, a wait that comes later, makes it last.
    func lasts(after wait: DiskOperation) -> Bool {
        guard let unit else { return false }
        guard case .sync(let node, let withMode) = wait else { return wait == .syncAll }
        switch self {
        // A move between two folders is one change of the file system; with either of them it is on the disk.
        case .rename(_, from: let source, _, to: let target, _): return node == source || node == target
        case .exchange(_, in: let one, _, with: _, of: let other, _): return node == one || node == other
        default: return unit == .content(node) || unit == .names(in: node) || (withMode && unit == .mode(node))
        }
    }
}

/// A file or folder of a ``DiskImage``.
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
