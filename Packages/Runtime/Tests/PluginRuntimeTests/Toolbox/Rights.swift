#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import PluginRuntime
import Testing

/// Takes this process the right to write a sandbox. Only for exit tests: the whole process is another afterwards.
///
/// For root, whom no mode stops, it becomes somebody else; for everybody else, the modes change.
func becomeReader(of sandbox: Sandbox) throws {
    if geteuid() == 0 {
        try #require(seteuid(65534) == 0)
    } else {
        for path in [sandbox.registry, sandbox.registry.parent] { try #require(chmod(path.string, 0o555) == 0) }
    }
}

/// Makes all that lies in a folder this process's own, as far as modes go. Only for exit tests: root, whom no mode stops, becomes
/// somebody else.
func becomeOwner(of folder: FilePath) throws {
    guard geteuid() == 0 else { return }
    func give(_ path: FilePath) throws {
        try #require(lchown(path.string, 65534, 65534) == 0)
        var status = stat()
        guard lstat(path.string, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        for name in try path.names { try give(path.appending(name)) }
    }
    try give(folder)
    try #require(seteuid(65534) == 0)
}

/// Takes ``becomeReader(of:)`` back.
func becomeWriter(of sandbox: Sandbox) throws {
    if getuid() == 0 {
        try #require(seteuid(0) == 0)
    } else {
        for path in [sandbox.registry, sandbox.registry.parent] { try #require(chmod(path.string, 0o755) == 0) }
    }
}
