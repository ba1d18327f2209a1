import Glibc
import PluginCore
import Testing
@testable import Registry

/// Removes this process's permission to write a sandbox, for exit tests only.
///
/// File modes do not restrict root, so root switches to another user; other users change the modes. The effect lasts
/// for the whole process.
func becomeReader(of sandbox: Sandbox) throws {
    if geteuid() == 0 {
        try share(sandbox.root)
        try #require(seteuid(65534) == 0)
    } else {
        for path in [sandbox.registry, sandbox.registry.parent] { try #require(chmod(path.string, 0o555) == 0) }
    }
}

/// Lets other users read everything at a path, also the data, so that tests can compare it.
private func share(_ path: FilePath) throws {
    var status = stat()
    try #require(lstat(path.string, &status) == 0)
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    guard isFolder || status.st_mode & S_IFMT == S_IFREG else { return }
    try #require(chmod(path.string, status.st_mode & 0o777 | (isFolder ? 0o555 : 0o444)) == 0)
    if isFolder { for name in try path.names { try share(path.appending(name)) } }
}

/// Gives this process ownership of a folder and its content, for exit tests only.
///
/// File modes do not restrict root, so root switches to another user first.
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

/// Returns the host in a folder of which this process becomes the owner, for exit tests only.
func ownedHost(in root: String) throws -> TestHost {
    try becomeOwner(of: FilePath(root))
    return TestHost(FilePath(root))
}

/// Restores the permission to write a sandbox.
func becomeWriter(of sandbox: Sandbox) throws {
    if getuid() == 0 {
        try #require(seteuid(0) == 0)
    } else {
        for path in [sandbox.registry, sandbox.registry.parent] { try #require(chmod(path.string, 0o755) == 0) }
    }
}

/// Kills this process after a random time, for exit tests only. It cannot catch the signal, which arrives at any system call.
func killSoon() {
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { _ in
            usleep(.random(in: 20_000...160_000))
            kill(getpid(), SIGKILL)
            return nil
        }, nil)
}

/// Makes writing end in the middle of a file of more than 4 KiB, like a full disk, for exit tests only.
func limitFileSizes() throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}
