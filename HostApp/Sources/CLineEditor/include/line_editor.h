#ifndef LINE_EDITOR_H
#define LINE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

/// A line that the user edits on a terminal, through libedit.
///
/// libedit is opened with the first editor, because most starts of a program need none.
struct line_editor;

/// The change that the tab key makes. The texts are UTF-8, allocated with malloc, and freed by the editor.
struct line_change {
    /// The number of code points before the cursor to remove.
    size_t removed;
    /// The text to insert in their place; NULL for none.
    char *inserted;
    /// Lines to show below the line; NULL for none.
    char *shown;
};

/// The result of reading a line.
enum line_result {
    /// The user has finished a line.
    LINE_READ,
    /// The user has ended the input.
    LINE_ENDED,
    /// The line was abandoned.
    LINE_INTERRUPTED,
};

/// The requests of other threads while a line is read. The text is allocated with malloc, and freed by the editor.
struct line_request {
    /// True if the line is abandoned.
    bool is_interrupted;
    /// True if the terminal has another size.
    bool is_resized;
    /// True if the process was continued after a stop.
    bool is_continued;
    /// Text to show above the line; NULL for none.
    char *text;
};

/// The caller that reads a line. Its functions are called on the thread that reads.
struct line_caller {
    void *context;
    /// Returns the change for the text before the cursor.
    struct line_change (*complete)(void *context, const char *text);
    /// Returns the requests since the last call. After the last call for a line, it must take no more.
    struct line_request (*attend)(void *context, bool is_last);
};

/// Creates an editor for a program on a terminal, or returns NULL if libedit is not installed or there is no memory.
///
/// The descriptors stay open and belong to the caller. Only one editor can exist at a time.
struct line_editor *line_editor_create(const char *program, int input, int output);

/// Ends an editor that does not read.
void line_editor_destroy(struct line_editor *editor);

/// Adds a line to those that the arrow keys and the search offer.
void line_editor_remember(struct line_editor *editor, const char *line);

/// Reads a line after the prompt "> ", which is allocated with malloc and belongs to the caller.
enum line_result line_editor_read(struct line_editor *editor, struct line_caller caller, char **line);

/// Gives the terminal back at once if a line is read, because the process is about to end; may be called on any thread.
void line_editor_restore(void);

/// Lets the editor ask for requests if a line is read; may be called on any thread.
void line_editor_wake(struct line_editor *editor);

#endif
