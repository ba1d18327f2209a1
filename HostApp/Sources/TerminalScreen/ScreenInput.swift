/// A key of the keyboard.
package enum Key: Hashable, Sendable {
    case character(Character)
    /// A letter together with Control.
    case control(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, escape, tab, backTab, backspace, delete, help
    /// A key that has no meaning here.
    case unknown
}

/// An input of the user.
package enum ScreenInput: Hashable, Sendable {
    case key(Key)
    /// The left button of the mouse was pressed.
    case press(column: Int, row: Int)
    /// The wheel of the mouse was turned by a number of steps; negative is up.
    case scroll(Int)
}
