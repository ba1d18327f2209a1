import PluginCore
import PluginTestKit

extension RunningProcess {
    /// The files that are mapped into the process right now, as the kernel says (proc(5), `maps`).
    func mappedFiles() async throws -> Set<FilePath> {
        let maps = try await Executable("/usr/bin/env").run("cat", "/proc/\(identifier)/maps")
        return Set(maps.lines.compactMap { line in line.firstIndex(of: "/").map { FilePath(String(line[$0...])) } })
    }

    /// The same, of the libraries with a name.
    func mappedFiles(named name: String) async throws -> Set<FilePath> {
        try await mappedFiles().filter { $0.lastComponent == name }
    }

    /// The files that it has open right now, by the names that ``ProcessResult/openedPlugins`` has (proc(5), `fd`).
    func openFiles() async throws -> [String: FilePath] {
        let links = try await Executable("/usr/bin/env").run(
            "find", "/proc/\(identifier)/fd", "-type", "l", "-printf", "%f %l\n")
        let pairs = links.lines.compactMap { line in
            line.firstIndex(of: " ").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
        }
        return Dictionary(
            pairs.map { ("/proc/\(identifier)/fd/" + $0.0, FilePath($0.1)) }, uniquingKeysWith: { $1 })
    }
}

extension ProcessResult {
    /// The libraries that a program run with `LD_DEBUG=files` has loaded with dlopen, by name, in order.
    var openedLibraries: [String] {
        loaderLines.filter { $0.contains("dynamically loaded by") }.compactMap(\.loadedFile).map(\.string)
    }

    /// Those of them that are plugins', by the descriptor on which each was checked: the loader gets the same file by it, and the
    /// process's number lets a debugger open it too.
    var openedPlugins: [String] {
        openedLibraries.filter { name in
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 5 && parts[1] == "proc" && Int(parts[2]) != nil && parts[3] == "fd"
        }
    }

    /// The libraries that it was linked with, by last name.
    var linkedLibraries: [String] {
        loaderLines.filter { $0.contains("needed by") }.compactMap(\.loadedFile?.lastComponent)
    }

    /// What the dynamic loader said (ld.so(8), `LD_DEBUG`).
    private var loaderLines: [Substring] { stderr.split(separator: "\n") }
}

extension Substring {
    /// From `1234:	file=/a/b/libX.so [0];  dynamically loaded by ...` this is `/a/b/libX.so`.
    fileprivate var loadedFile: FilePath? {
        guard let start = firstRange(of: "file=")?.upperBound else { return nil }
        return FilePath(String(self[start...].prefix { $0 != " " }))
    }
}
