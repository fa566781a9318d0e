// Two hundred EPUBs with hostile content: whatever is in one, its Markdown holds no scripts, styles, pictures or HTML,
// and each is read or refused in time. The same again: FILES_SEED=… npx vitest run …/hostile-books.test.ts
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, strToU8, unzipSync } from 'fflate'
import MarkdownIt, { type Token } from 'markdown-it'
import { expect, test } from 'vitest'
import { makeEpub } from '#test/epub.ts'
import { createMutations } from '#test/mutations.ts'
import { Problem } from '#platform/problem.ts'
import { openUploadReader, readBookFile } from './ebook-reader.ts'
import type { ReadBook } from '#contract/files/read-book.ts'

const seed = Number(process.env['FILES_SEED'] ?? 20_261_122)
const count = 200
const slowestMs = 10_000

/** None of their letters may be left. Links to the web may, so they are not among them. */
const hostile = [
  '<script>ev1l()</script>',
  '<script src="https://ev1l.example/x.js"/>',
  '<script><![CDATA[ ev1l() ]]></script>',
  '<style>@import "https://ev1l.example/x.css"; p { background: url(https://ev1l.example/p.png) }</style>',
  '<link rel="stylesheet" href="https://ev1l.example/x.css"/>',
  '<img src="https://ev1l.example/x.png" onerror="ev1l()" alt="ev1l"/>',
  '<img src="data:image/svg+xml,ev1l"/>',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="ev1l()"><script>ev1l()</script><text>ev1l</text></svg>',
  '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:image xlink:href="https://ev1l.example/x.png"/></svg:svg>',
  '<a href="javascript:ev1l()">words</a>',
  '<a href="JaVaScRiPt&#58;ev1l()">words</a>',
  '<a href=" java&#10;script:ev1l()" onclick="ev1l()">words</a>',
  '<a href="data:text/html,ev1l">words</a>',
  '<a href="//ev1l.example">words</a>',
  '<a href="vbscript:ev1l">words</a>',
  '<iframe src="https://ev1l.example"></iframe>',
  '<object data="https://ev1l.example/x.swf"><param name="ev1l" value="ev1l"/></object>',
  '<embed src="https://ev1l.example/x.swf"/>',
  '<video src="https://ev1l.example/x.mp4" poster="https://ev1l.example/x.png"></video>',
  '<form action="https://ev1l.example"><input name="ev1l" value="ev1l"/><button>ev1l</button></form>',
  '<math><mtext>ev1l</mtext></math>',
  '<template><p>ev1l</p></template>',
  '<noscript>ev1l</noscript>',
  '<base href="https://ev1l.example"/>',
  '<meta http-equiv="refresh" content="0;url=https://ev1l.example"/>',
  '<!-- ev1l -->',
  '<?ev1l ev1l?>',
  '<p style="background:url(https://ev1l.example/p.png)" onmouseover="ev1l()">words</p>',
  '<div class="ev1l" id="ev1l" data-ev1l="ev1l">words</div>',
  '<picture><source srcset="https://ev1l.example/x.webp"/><img src="https://ev1l.example/x.png"/></picture>',
]
/** As words they may stay, and must be nothing else. */
const looksLikeMarkup = [
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '![x](https://pictures.example/x.png)',
  '[x](javascript:alert(1))',
  '&lt;img src=x onerror=alert(1)&gt;',
  '`&lt;b&gt;`',
  '&lt;javascript:alert(1)&gt;',
  '\n    &lt;p&gt;\n',
  '<![CDATA[<script>alert(1)</script>]]>',
  '[x]: javascript:alert(1)',
  '&amp;lt;script&amp;gt;',
]

/** Reads all of Markdown, unlike the shop's own reader. */
const reader = new MarkdownIt('commonmark', { html: true })
reader.validateLink = () => true

function markupIn(markdown: string): string[] {
  const all = (tokens: Token[]): Token[] => tokens.flatMap((each) => [each, ...all(each.children ?? [])])
  return all(reader.parse(markdown, {})).flatMap((token) => {
    const href = String(token.attrGet('href') ?? 'https://')
    const isRaw = /^(html_block|html_inline|image)$/.test(token.type)
    return isRaw || !/^(https?:\/\/|mailto:)/i.test(href) ? [`${token.type} ${token.content} ${href}`] : []
  })
}

const textsOf = ({ chapters, title, subtitle, description, contents, authors }: ReadBook) =>
  [title, subtitle, description, ...authors, ...contents.map((each) => each.title)].concat(
    chapters.flatMap((each) => [each.title, each.markdown]),
  )

test('of each of two hundred hostile books nothing but words and links is left', async () => {
  const { random, whole, mutate } = createMutations(seed)
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-hostile-'))
  const threads = openUploadReader({ threads: 1 })
  const names = ['songs-of-the-road', 'letter-to-the-philippians', 'v-nachale']
  const books = await Promise.all(
    names.map(async (name) =>
      unzipSync(await readFile(new URL(`../../../test/books/${name}.epub`, import.meta.url))),
    ),
  )
  /** Between two elements, or in the tag of one: the document stays well-formed. */
  const infest = (xhtml: string) => {
    const parts = xhtml.split(/(?<=<\/(?:p|h1|h2|div|span)>)(?=\s*<)/)
    for (let times = whole(1, 12); times > 0; times -= 1)
      parts.splice(whole(1, parts.length), 0, random.of(random.between(0, 3) < 2 ? hostile : looksLikeMarkup))
    return parts
      .join('')
      .replaceAll(/<p /g, () => (whole(0, 4) === 0 ? '<p onclick="ev1l()" style="ev1l" ' : '<p '))
  }
  const seen = { read: 0, refused: 0 }
  for (let n = 0; n < count; n += 1) {
    const files = { ...books[n % books.length]! }
    const isWhole = n % 2 === 0
    for (const name of Object.keys(files)) {
      if (name.endsWith('html')) files[name] = strToU8(infest(strFromU8(files[name]!)))
      if (!isWhole && /(html|opf|ncx|css)$/.test(name))
        files[name] = new Uint8Array(mutate(Buffer.from(files[name]!)))
    }
    delete files['mimetype']
    const path = join(folder.path, 'book')
    await writeFile(path, makeEpub({ 'O/a.xhtml': undefined, 'O/b.opf': undefined, ...files }))
    const since = performance.now()
    const outcome = await readBookFile(threads, path, 'book.epub').catch((error: unknown) => error)
    const which = `book ${n} of seed ${seed}`
    expect(performance.now() - since, which).toBeLessThan(slowestMs)
    if (outcome instanceof Error) {
      expect(outcome, which).toBeInstanceOf(Problem)
      seen.refused += 1
      continue
    }
    const { book } = outcome as { book: ReadBook }
    seen.read += 1
    for (const { markdown } of book.chapters) expect(markupIn(markdown), which).toEqual([])
    // A broken tag may leave its words as words, but a whole one leaves nothing.
    if (isWhole)
      expect(
        textsOf(book).filter((text) => /ev1l/i.test(text ?? '')),
        which,
      ).toEqual([])
  }
  await threads.close()
  expect(seen.read).toBeGreaterThan(count / 2)
  expect(seen.read + seen.refused).toBe(count)
})
