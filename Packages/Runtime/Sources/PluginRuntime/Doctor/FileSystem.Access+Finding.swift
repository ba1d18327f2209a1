import PluginCore

extension FileSystem.Access {
    /// What a check says of a folder that it needs, and its remedy; `nil` when it can be used or is not there yet.
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

    /// What helps when a right is missing, whatever it is that cannot be read or written.
    static let right =
        "get the right to read and write there from its owner, or name another sandbox with \"--sandbox DIR\""

    private static let wayOut = "put away what is there, or name another sandbox with \"--sandbox DIR\""
}
