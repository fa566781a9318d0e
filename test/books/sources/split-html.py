# Cuts HTML at its first headings, into pages.
import pathlib, re, sys

text, folder, title = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2]), sys.argv[3]
pieces = [p for p in re.split(r'(?=<h1)', text) if '<h1' in p]
for number, piece in enumerate(pieces, 1):
    heading = re.sub('<[^>]+>', '', re.search(r'<h1.*?</h1>', piece, re.S).group(0))
    page = f'<!doctype html><html lang="ja"><head><meta charset="utf-8"><title>{heading}</title></head><body>{piece}</body></html>'
    (folder / f'ch{number}.html').write_text(page)
