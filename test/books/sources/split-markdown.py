# Cuts Markdown at its chapters, as HonKit takes a book.
import pathlib, re, sys

text, folder, title = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2]), sys.argv[3]
text = re.sub(r'(?s)^---.*?---\n', '', text).replace(' {.unnumbered}', '')
pieces = [p for p in re.split(r'(?m)^(?=# )', text) if p.strip()]
summary = '# Summary\n\n'
for number, piece in enumerate(pieces):
    heading = piece.split('\n')[0][2:]
    name = 'README.md' if number == 0 else f'chapter{number}.md'
    summary += f'* [{heading}]({name})\n'
    (folder / name).write_text(piece)
(folder / 'SUMMARY.md').write_text(summary)
