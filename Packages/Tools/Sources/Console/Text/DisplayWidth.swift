/// Returns the number of terminal columns that a text takes.
///
/// East Asian wide characters and emoji take two columns, and combining marks take none. Control characters count as none, so pass
/// text through ``printable(_:keepingLines:)`` first.
public func displayWidth(of text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text.utf8.count }
    return text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// Returns the number of columns of one user-perceived character.
func displayWidth(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // Flags, families and similar emoji consist of several scalars in two columns; U+FE0F requests the emoji form.
    let isEmoji = first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") && first.properties.isEmoji
    if isEmoji && scalars.count > 1 { return 2 }
    return scalars.reduce(0) { $0 + displayWidth(of: $1) }
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: return 1
    case 0x1160...0x11FF: return 0  // Hangul vowels and finals, which join the syllable before them
    case 0x00AD: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: return isWide(scalar) ? 2 : 1
    }
}

/// Returns whether a scalar has the East Asian Width W or F, as defined in Unicode Standard Annex #11.
///
/// Unassigned gaps between wide blocks count as wide.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
        true
    // Outside these blocks, only characters with emoji presentation are wide.
    default: scalar.properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF ~= scalar.value)
    }
}
