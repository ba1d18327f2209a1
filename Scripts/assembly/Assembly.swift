// This target has no code: it names what `Scripts/build` assembles.
