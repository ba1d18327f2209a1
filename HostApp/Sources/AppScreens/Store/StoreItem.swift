import Console
package import PluginCore

/// A bundle in the store.
package struct StoreItem: Equatable {
    /// The state of a bundle, from the user's point of view.
    package enum State: Equatable {
        case available
        case installed
        /// A newer version can be installed.
        case updatable(to: String)
        /// A new version becomes active at the next start.
        case staged(String)
        /// No version can be installed; the text says why.
        case blocked(String)
        case waiting
        /// The bytes that have arrived, of all.
        case downloading(done: UInt64, total: UInt64)
        case installing
        case failed(String)

        /// A Boolean value that indicates whether a change is under way.
        package var isBusy: Bool {
            switch self {
            case .waiting, .downloading, .installing: true
            default: false
            }
        }
    }

    /// The manifest of the installed version, or of the one that would be installed.
    package let manifest: Manifest
    /// The size of the package or of the installed bundle in bytes.
    package let size: Int
    package var state: State
    /// The text that a search looks into, in lower case.
    let searchText: String

    package init(_ manifest: Manifest, size: Int, state: State) {
        (self.manifest, self.size, self.state) = (manifest, size, state)
        let texts = [manifest.name, manifest.identity.identifier.text, manifest.summary]
        searchText = texts.joined(separator: "\n").lowercased()
    }

    package var identifier: String { manifest.identity.identifier.text }

    /// A Boolean value that indicates whether a version is installed.
    package var isInstalled: Bool {
        switch state {
        case .installed, .updatable, .staged: true
        default: false
        }
    }

    /// Returns the state in a few words, and their style.
    func shownState(_ styles: ScreenStyles) -> (text: String, style: CellStyle) {
        switch state {
        case .available: (byteCount(size), styles.muted)
        case .installed: (localized("installed"), styles.notice)
        case .updatable(let version): ("→ \(version)", styles.action)
        case .staged(let version): (localized("\(version) at the next start"), styles.notice)
        case .blocked: (localized("cannot be installed"), styles.error)
        case .waiting: (localized("waiting"), styles.action)
        case .downloading(let done, 0): (byteCount(Int(clamping: done)), styles.action)
        case .downloading(let done, let total): ("\(min(100, done * 100 / total)) %", styles.action)
        case .installing: (localized("installing"), styles.action)
        case .failed: (localized("failed"), styles.error)
        }
    }
}

/// A tile of the store with icon, name, version, state and progress.
struct StoreTile {
    /// The rows of a tile, including its frame.
    static let rows = 5
    /// The rows of an icon.
    static let iconRows = 2
    /// The columns of an icon and the gap after it.
    static let iconColumns = 5

    let item: StoreItem
    let isSelected: Bool
    /// The bundle's icon; `nil` for letters.
    let icon: ImageCells?

    func draw(on canvas: inout Canvas, in area: Rectangle, _ styles: ScreenStyles) {
        canvas.frame(area, isHeavy: isSelected, isSelected ? styles.action : styles.muted)
        let inside = area.inset(columns: 2, rows: 1)
        drawIcon(on: &canvas, at: inside, styles)
        let name = isSelected ? styles.title.adding(.underline) : styles.title
        canvas.write(item.manifest.name, in: inside.line(0, from: Self.iconColumns), name)
        let version = item.manifest.identity.version.description
        let end = canvas.write(version, in: inside.line(1, from: Self.iconColumns), styles.text)
        if end + 2 < inside.endColumn {
            let (text, style) = item.shownState(styles)
            canvas.write("· \(text)", in: inside.line(1, from: end + 1 - inside.column), style)
        }
        drawLastRow(on: &canvas, inside, styles)
    }

    /// Draws the icon, or letters in place of one, in the upper left corner of a rectangle.
    func drawIcon(on canvas: inout Canvas, at place: Rectangle, _ styles: ScreenStyles) {
        if let icon {
            for (row, parts) in icon.rows.enumerated() {
                for part in parts {
                    canvas.write(part.text, column: place.column + part.column, row: place.row + row, part.style)
                }
            }
            return
        }
        let hash = item.identifier.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        let style = styles.icons[hash % max(1, styles.icons.count)]
        let area = Rectangle(column: place.column, row: place.row, columns: 4, rows: 2)
        canvas.fill(area, style)
        // The first letters of the words of the name, at most two.
        let words = printable(item.manifest.name).split { $0 == " " || $0 == "-" }
        let letters = words.prefix(2).compactMap(\.first).map { String($0).uppercased() }.joined()
        canvas.write(letters, in: area.line(0, from: max(0, (4 - displayWidth(of: letters)) / 2)), style)
    }

    private func drawLastRow(on canvas: inout Canvas, _ inside: Rectangle, _ styles: ScreenStyles) {
        var (text, style) = (item.manifest.summary, styles.muted)
        switch item.state {
        case .downloading(let done, let total) where total > 0:
            let filled = Int(UInt64(inside.columns) * min(done, total) / total)
            text = String(repeating: "█", count: filled) + String(repeating: "░", count: inside.columns - filled)
            style = styles.action
        case .failed(let reason), .blocked(let reason): text = reason
        default: break
        }
        canvas.write(text, in: inside.line(2), style)
    }
}
