#!/bin/bash
# Builds the books of this folder from sources/, each by the program that its step names; README.md lists them.
# Debian 12: pandoc calibre python3-sphinx python3-ebooklib dbtoepub docbook-xsl asciidoc-base asciidoctor
# libreoffice-writer-nogui latexml abiword abw2epub ebook2epub chromium zip. NPM_BOOKS is a folder with the packages of npm-books.mjs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
src=$here/sources
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
only=${1:-.}

# Runs a step, unless another one was named.
book() { [[ $1 =~ $only ]] && echo "$1" && "build_${1//[-.]/_}" "$here/$1" > log 2>&1 || { [[ $1 =~ $only ]] && cat log; true; }; }
html() { pandoc "$src/$1.md" -s -t html5 -o "$1.html" "${@:2}"; }

build_songs_of_the_road_epub() {
  (cd "$src" && pandoc songs-of-the-road.md -t epub3 --epub-cover-image=cover.png --toc-depth=2 -o "$1")
}
build_letter_to_the_philippians_epub() {
  ebook-convert "$src/letter-to-the-philippians.html" "$1" --epub-version 2 --no-default-epub-cover \
    --chapter '//h:h1' --level1-toc '//h:h1' --flow-size 8 --language en \
    --title 'The Letter to the Philippians: Joy in Bonds' --authors 'Paul the Apostle & Timothy' \
    --comments '<p>Written from prison, and full of <em>joy</em>.</p><p>In the words of the King James Version.</p>'
}
build_v_nachale_epub() {
  soffice --headless --infilter='HTML (StarWriter)' --convert-to epub --outdir "$here" "$src/v-nachale.html"
}

build_pandoc_ruth_epub() { pandoc "$src/ruth.md" -t epub3 --toc --number-sections -o "$1"; }
build_pandoc_psalmy_epub() {
  pandoc "$src/psalmy.md" -t epub2 --epub-chapter-level=2 --top-level-division=part -o "$1"
}
build_pandoc_words_beyond_jordan_epub() { pandoc "$src/words-beyond-jordan.md" -t epub3 -o "$1"; }

# No contents list but pages with headings, a licence behind the title, and a cover that nothing declares.
build_hand_made_psalmy_epub() {
  mkdir -p m/META-INF m/OEBPS/Text m/OEBPS/Images && cp "$src/cover.png" m/OEBPS/Images/front.png
  cp "$src/hand-made/container.xml" m/META-INF/ && cp "$src"/hand-made/*.opf m/OEBPS/ && cp "$src"/hand-made/*.xhtml m/OEBPS/Text/
  (cd m && zip -qrX9 "$1" META-INF OEBPS)
}

build_calibre_ruth_zh_epub() {
  html ruth-zh
  ebook-convert ruth-zh.html "$1" --epub-version 3 --cover "$src/cover.png" --language zh --title 路得記 \
    --authors 和合本 --chapter '//h:h1' --level1-toc '//h:h1'
}
# Plain text: no title, no author and no language are given.
build_calibre_fables_epub() {
  pandoc "$src/fables.md" -t plain --wrap=none -o fables.txt
  ebook-convert fables.txt "$1" --formatting-type plain --no-default-epub-cover
}
build_calibre_ruth_docx_epub() {
  pandoc "$src/ruth.md" -o ruth.docx
  ebook-convert ruth.docx "$1" --epub-version 2 --authors 'Prophet, Samuel' --no-default-epub-cover
}
build_calibre_en_archi_fb2_epub() {
  pandoc "$src/en-archi.md" -t fb2 -o en-archi.fb2
  ebook-convert en-archi.fb2 "$1" --epub-version 3 --no-default-epub-cover
}
build_calibre_the_mount_mobi() {
  html the-mount
  ebook-convert the-mount.html "$1" --mobi-file-type old --cover "$src/cover.png" --authors Matthew \
    --title 'The Mount' --language en --output-profile kindle
}
build_calibre_psalmy_mobi() {
  html psalmy
  ebook-convert psalmy.html "$1" --mobi-file-type both --cover "$src/cover.png" --language ru \
    --title 'Псалмы пути' --authors 'Синодальный перевод'
}
build_calibre_yume_juya_mobi() {
  html yume-juya
  ebook-convert yume-juya.html "$1" --mobi-file-type both --language ja --title 夢十夜 --authors 夏目漱石 \
    --no-inline-toc
}

sphinx() { # <source> <title> <author> <language> <more settings>
  mkdir -p "$1"
  pandoc "$src/$1.md" -t rst -o "$1/text.rst"
  /usr/bin/python3 "$src/split-rst.py" "$1/text.rst" "$1" "$2"
  printf '%s\n' "project = '$2'" "author = '$3'" "copyright = '1769, $3'" "language = '$4'" "$5" > "$1/conf.py"
  sphinx-build -q -b epub "$1" "$1/out"
}
build_sphinx_ruth_epub() {
  sphinx ruth Ruth Samuel en "html_title = epub_title = 'Ruth'"
  cp ruth/out/*.epub "$1"
}
build_sphinx_psalmy_epub() {
  sphinx psalmy 'Псалмы пути' 'Синодальный перевод' ru "epub_description = 'unknown'"
  cp psalmy/out/*.epub "$1"
}

build_libreoffice_en_archi_epub() {
  pandoc "$src/en-archi.md" -o en-archi.odt
  soffice --headless --convert-to epub en-archi.odt && cp en-archi.epub "$1"
}
build_libreoffice_bidaya_epub() {
  pandoc "$src/bidaya.md" -o bidaya.docx
  soffice --headless --convert-to epub bidaya.docx && cp bidaya.epub "$1"
}

build_docbook_the_mount_epub() { dbtoepub -o "$1" "$src/the-mount.dbk"; }
build_docbook_psalmy_epub() {
  pandoc "$src/psalmy.md" -s -t docbook4 --top-level-division=part -o psalmy.xml
  sed -i 's/<book>/<book lang="ru">/' psalmy.xml
  xsltproc --nonet --stringparam base.dir out/OEBPS/ --stringparam generate.toc 'book toc' \
    /usr/share/xml/docbook/stylesheet/docbook-xsl-nons/epub3/chunk.xsl psalmy.xml
  (cd out && printf application/epub+zip > mimetype && zip -qX0 "$1" mimetype && zip -qrX9 "$1" META-INF OEBPS)
}
build_asciidoctor_words_beyond_jordan_epub() {
  pandoc "$src/words-beyond-jordan.md" -s -t asciidoctor -o words.adoc
  asciidoctor -b docbook5 -d book -a sectanchors words.adoc -o words.xml
  dbtoepub -o "$1" words.xml
}
build_asciidoc_ruth_epub() {
  PATH=/usr/bin:/bin a2x -f epub -d book --no-xmllint "$src/ruth-asciidoc.txt" -D . && cp ruth-asciidoc.epub "$1"
}
build_latexml_ruth_epub() { latexmlc --format=epub --splitat=chapter --destination="$1" "$src/ruth.tex"; }
build_ebooklib_bidaya_epub() { pandoc "$src/bidaya.md" -t html5 -o b.html && /usr/bin/python3 "$src/ebooklib-book.py" b.html "$1"; }

build_abw2epub_fables_epub() {
  html fables && abiword --to=abw -o fables.abw fables.html && abw2epub fables.abw "$1"
}
build_ebook2epub_ruth_epub() {
  pandoc "$src/ruth.md" -t fb2 -o ruth.fb2 && ebook2epub ruth.fb2 "$1"
}

npm_book() { pandoc "$src/$2.md" -t html5 -o book.html && node "$src/npm-books.mjs" "$1" book.html "$3"; }
build_epub_gen_memory_john_zh_epub() { npm_book epub-gen-memory john-zh "$1"; }
build_html_to_epub_fables_epub() { npm_book html-to-epub fables "$1"; }
build_nodepub_ruth_epub() { npm_book nodepub ruth "$1"; }
build_percollate_the_mount_epub() {
  html the-mount
  PUPPETEER_EXECUTABLE_PATH=$(command -v chromium-headless-shell || command -v chromium) \
    "$NPM_BOOKS/node_modules/.bin/percollate" epub --no-sandbox --output "$1" --title "The Mount" --author Matthew --url https://example.org/the-mount - < the-mount.html
}
build_vivliostyle_yume_juya_epub() {
  mkdir v && cd v && pandoc "$src/yume-juya.md" -t html5 -o all.html
  /usr/bin/python3 "$src/split-html.py" all.html . 夢十夜 && rm all.html
  printf '%s' "export default { title: '夢十夜', author: '夏目漱石', language: 'ja', entry: ['ch1.html', 'ch2.html', 'ch3.html'], toc: { title: '目次' } }" > vivliostyle.config.mjs
  node "$NPM_BOOKS/node_modules/@vivliostyle/cli/dist/cli.js" build -c vivliostyle.config.mjs -o "$1"
}
build_honkit_ruth_epub() {
  mkdir h && cd h && /usr/bin/python3 "$src/split-markdown.py" "$src/ruth.md" . Ruth
  printf '{"title":"Ruth","author":"Samuel","language":"en"}' > book.json
  node "$NPM_BOOKS/node_modules/.bin/honkit" epub . "$1"
}

for step in $(declare -F | sed -n 's/^declare -f build_//p'); do
  name=$(echo "$step" | sed 's/_\(epub\|mobi\)$/.\1/; s/_/-/g')
  book "$name"
done
