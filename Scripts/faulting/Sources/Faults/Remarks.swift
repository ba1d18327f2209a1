import Glibc

/// Tells whoever watches, beside the report.
func remark(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
