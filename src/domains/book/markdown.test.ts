// What of an author's Markdown is shown, and as what.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseMarkdown } from './markdown.ts'

test('headings, paragraphs, lists and dividers are blocks', () => {
  const markdown = `# One\n\n## Two\n\n### Three\n\nWords on\ntwo lines.  \nAnd a third.\n\n- a\n- b\n\n4. c\n\n   more\n5. d\n\n---\n`
  expect(parseMarkdown(markdown)).toEqual([
    { kind: 'heading', level: 2, text: 'One' },
    { kind: 'heading', level: 2, text: 'Two' },
    { kind: 'heading', level: 3, text: 'Three' },
    {
      kind: 'paragraph',
      spans: [{ text: 'Words on two lines.' }, { isLineBreak: true }, { text: 'And a third.' }],
    },
    {
      kind: 'list',
      start: null,
      items: [
        [{ kind: 'paragraph', spans: [{ text: 'a' }] }],
        [{ kind: 'paragraph', spans: [{ text: 'b' }] }],
      ],
    },
    {
      kind: 'list',
      start: 4,
      items: [
        [
          { kind: 'paragraph', spans: [{ text: 'c' }] },
          { kind: 'paragraph', spans: [{ text: 'more' }] },
        ],
        [{ kind: 'paragraph', spans: [{ text: 'd' }] }],
      ],
    },
    { kind: 'divider' },
  ])
})

const spansOf = (markdown: string) => {
  const [block] = parseMarkdown(markdown)
  return block?.kind === 'paragraph' ? block.spans : undefined
}

test('emphasis, strong and links are spans; a link leads to the web, a mailbox or this site', () => {
  expect(spansOf('a *b* **c** ***d*** &amp; \\*e\\*')).toEqual([
    { text: 'a ' },
    { text: 'b', emphasis: true },
    { text: ' ' },
    { text: 'c', strong: true },
    { text: ' ' },
    { text: 'd', emphasis: true, strong: true },
    { text: ' & *e*' },
  ])
  for (const href of [
    'https://a.example/b?c#d',
    'http://a.example',
    'mailto:a@b.example',
    '#faq',
    '/privacy',
  ])
    expect(spansOf(`[*x* y](${href})`)).toEqual([
      { href, words: [{ text: 'x', emphasis: true }, { text: ' y' }] },
    ])
  expect(spansOf('[x](/\\evil.example)')).toMatchObject([{ href: '/%5Cevil.example' }])
  expect(spansOf('<https://a.example>')).toEqual([
    { href: 'https://a.example', words: [{ text: 'https://a.example' }] },
  ])
})

test('HTML, scripts, pictures and other addresses are words, or nothing', () => {
  for (const address of [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java&#10;script:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    'ftp://a.example',
    'evil.html',
  ])
    expect([address, JSON.stringify(parseMarkdown(`[x](${address}) <${address}>`))]).toEqual([
      address,
      expect.not.stringContaining('href'),
    ])
  expect(spansOf('<b onclick="x">y</b>')).toEqual([{ text: '<b onclick="x">y</b>' }])
  expect(parseMarkdown('<script>alert(1)</script>\n\n    <p>code</p>')).toEqual([
    { kind: 'paragraph', spans: [{ text: '<script>alert(1)</script>' }] },
    { kind: 'paragraph', spans: [{ text: '<p>code</p>' }] },
  ])
  expect(spansOf('![a *picture*](https://a.example/x.png)')).toEqual([{ text: 'a *picture*' }])
  expect(spansOf('x [](https://a.example)')).toEqual([{ text: 'x ' }])
})

test('of a quotation each line is a line, and a last one with a dash is its reference', () => {
  expect(parseMarkdown('> one\n> *two*\n>\n> three\n> — Psalm 46:1')).toEqual([
    {
      kind: 'quotation',
      lines: [[{ text: 'one' }], [{ text: 'two', emphasis: true }], [{ text: 'three' }]],
      reference: 'Psalm 46:1',
    },
  ])
  expect(parseMarkdown('> — alone')).toEqual([{ kind: 'quotation', lines: [[{ text: '— alone' }]] }])
  expect(parseMarkdown('> - in a list\n> > deeper')).toEqual([
    { kind: 'quotation', lines: [[{ text: 'in a list' }], [{ text: 'deeper' }]] },
  ])
})

test('the sample book’s chapters are read as they are', () => {
  const text = readFileSync(new URL(import.meta.resolve('#content/edition/04-protection.md')), 'utf8')
  const kinds = parseMarkdown(text).map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['heading', 'quotation', 'paragraph']))
  expect(parseMarkdown(text)[1]).toMatchObject({ reference: 'Psalm 121:7–8', lines: { length: 4 } })
})

test('text made to be slow is read in time', () => {
  const before = process.threadCpuUsage()
  for (const part of ['[', '*a ', '> ', '[a](', '**', '![', '<', '- ', '&', '_a*'])
    parseMarkdown(part.repeat(20_000))
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(2_000)
})
