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
}

extension ProcessResult {
    /// The libraries that a program run with `LD_DEBUG=files` has loaded with dlopen, by last name, in order.
    var openedLibraries: [String] {
        loaderLines.filter { $0.contains("dynamically loaded by") }.compactMap(\.loadedFile)
    }

    /// The libraries that it was linked with.
    var linkedLibraries: [String] {
        loaderLines.filter { $0.contains("needed by") }.compactMap(\.loadedFile)
    }

    /// What the dynamic loader said (ld.so(8), `LD_DEBUG`).
    private var loaderLines: [Substring] { stderr.split(separator: "\n") }
}

extension Substring {
    /// From `1234:	file=/a/b/libX.so [0];  dynamically loaded by ...` this is `libX.so`.
    fileprivate var loadedFile: String? {
        guard let start = firstRange(of: "file=")?.upperBound else { return nil }
        return FilePath(String(self[start...].prefix { $0 != " " })).lastComponent
    }
}
