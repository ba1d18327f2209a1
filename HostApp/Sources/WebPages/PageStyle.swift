/// The style sheet that all pages share: colors for light and dark, texts, tables and controls.
package enum PageStyle {
    package static let base = InlineCode(
        """
        :root {
          --back: #ffffff; --panel: #f6f8fa; --line: #d0d7de; --text: #1f2328; --muted: #59636e; --accent: #0969da;
          --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --mark: #fff8c5; color-scheme: light dark;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #0d1117; --panel: #151b23; --line: #3d444d; --text: #f0f6fc; --muted: #9198a1; --accent: #4493f8;
            --good: #3fb950; --bad: #f85149; --warn: #d29922; --mark: #3b2f0b;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; background: var(--back); color: var(--text);
          font: 14px/1.5 ui-sans-serif, system-ui, "DejaVu Sans", "Noto Sans", sans-serif;
        }
        h1 { font-size: 18px; margin: 0; }
        h2 { font-size: 15px; margin: 20px 0 8px; }
        code, pre, .code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 12px; }
        .muted { color: var(--muted); }
        table { border-collapse: collapse; width: 100%; }
        th { text-align: left; color: var(--muted); font-weight: 600; font-size: 12px; }
        th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
        th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        button, input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 6px; }
        button { cursor: pointer; padding: 3px 10px; }
        input[type=search] { padding: 6px 10px; width: 100%; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        """, hash: "m2ghbRWD4Y3Aq/gXq6/CHGCafTIOf597SLyw6547g/8=")
}
