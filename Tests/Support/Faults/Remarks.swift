import Glibc

/// Prints a note to standard error.
func remark(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
