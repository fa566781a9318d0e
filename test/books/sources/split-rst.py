# Cuts what pandoc wrote as reStructuredText at its chapters, as Sphinx takes a book.
import pathlib, re, sys

text, folder, title = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2]), sys.argv[3]
pathlib.Path(sys.argv[1]).unlink()
pieces = re.split(r'(?m)^(?=\S.*\n=+\n)', re.sub(r'(?m)^\.\. _.*\n\n|^\.\. container::.*\n', '', text))
names = []
for number, piece in enumerate(p for p in pieces if p.strip()):
    names.append(f'chapter{number}')
    (folder / f'chapter{number}.rst').write_text(piece)
toctree = '\n'.join(f'   {name}' for name in names)
line = '=' * len(title) * 2
(folder / 'index.rst').write_text(f'{title}\n{line}\n\n.. toctree::\n   :maxdepth: 2\n   :numbered:\n\n{toctree}\n')
