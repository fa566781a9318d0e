# A book by EbookLib, with an author who left an address.
import re, sys
from ebooklib import epub

text = open(sys.argv[1]).read()
book = epub.EpubBook()
book.set_identifier('bidaya')
book.set_title('في البدء')
book.set_language('ar')
book.set_direction('rtl')
book.add_author('ترجمة فان دايك <readings@example.org>')
book.add_metadata('DC', 'description', 'No description')
chapters = []
for number, piece in enumerate(p for p in re.split(r'(?=<h1)', text) if '<h1' in p):
    title = re.search(r'<h1.*?>(.*?)</h1>', piece, re.S).group(1)
    chapter = epub.EpubHtml(title=title, file_name=f'chapter{number}.xhtml', lang='ar', direction='rtl')
    chapter.content = piece
    book.add_item(chapter)
    chapters.append(chapter)
book.toc = chapters
book.add_item(epub.EpubNcx())
book.add_item(epub.EpubNav())
book.spine = ['nav', *chapters]
epub.write_epub(sys.argv[2], book)
