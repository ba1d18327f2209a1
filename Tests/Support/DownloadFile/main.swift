import Downloads
import HTTPTransfer

import Glibc

func fail(_ message: String) -> Never {
    let bytes = Array("download-file: \(message)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(1)
}

let usage = """
    usage: download-file FOLDER NAME LENGTH SHA256 AUTHORITIES ADDRESS...

    Downloads a file into a folder, with "-" as the file of authorities for those of the system. Prints its path, and the progress on
    standard error.
    """
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 6, let length = Int64(arguments[2]) else { fail(usage) }
var request = DownloadRequest(mirrors: Array(arguments[5...]), length: length, sha256: arguments[3])
request.authorities = arguments[4] == "-" ? nil : arguments[4]
let downloader = Downloader(folder: arguments[0], client: HTTPClient(userAgent: "Atrium-download-file/1.0"))
do {
    let path = try await downloader.download(request, as: arguments[1]) { progress in
        let bytes = Array("\(progress.received) of \(progress.total)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
    print(path)
} catch {
    fail("\(error)")
}
