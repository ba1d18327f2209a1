import HostSystem
import PluginCore

extension FileSystem.Access {
    /// The finding about a required folder with its remedy; `nil` when it is usable or doesn't exist yet.
    var fault: (what: String, remedy: String)? {
        switch self {
        case .usable, .missing: nil
        case .noFolder: ("it is no folder", Self.wayOut)
        case .denied: ("this user cannot read and write it", Self.right)
        case .blocked:
            ("the way to it ends in something that is no folder, or in a link that leads nowhere", Self.wayOut)
        case .failed(let number):
            ("looking at it failed: \(FileSystem.message(number))", "check the disk that it is on")
        }
    }

    /// The remedy for missing permissions.
    static let right =
        "get the right to read and write there from its owner, or name another sandbox with \"--sandbox DIR\""

    private static let wayOut = "move away what is there, or name another sandbox with \"--sandbox DIR\""
}
