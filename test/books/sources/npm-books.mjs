// Books by packages of npm, which stand in the folder NPM_BOOKS: node npm-books.mjs <package> <chapters.html> <book.epub>
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(join(process.env.NPM_BOOKS ?? '.', 'package.json'))
const [, , program = '', source = '', target = ''] = process.argv
const cover = fileURLToPath(new URL('cover.png', import.meta.url))
const chapters = readFileSync(source, 'utf8')
  .split(/(?=<h1)/)
  .filter((piece) => piece.startsWith('<h1'))
  .map((piece) => ({
    title: /<h1[^>]*>([^<]*)/.exec(piece)?.[1] ?? '',
    text: piece.replace(/<h1.*?<\/h1>/s, ''),
  }))

const makers = {
  async 'epub-gen-memory'() {
    const { default: epub } = require('epub-gen-memory')
    const content = chapters.map(({ title, text }) => ({ title, content: text }))
    return await epub({ title: '太初有道：約翰福音選讀', author: '約翰', lang: 'zh-TW', tocTitle: '目錄' }, content)
  },
  async 'html-to-epub'() {
    const { EPub } = require('@lesjoursfr/html-to-epub')
    const content = chapters.map(({ title, text }) => ({ title, data: text }))
    const book = { title: 'Trois fables', author: ['La Fontaine, Jean de'], lang: 'fr', tocTitle: 'Table', content }
    await new EPub({ ...book, description: 'Untitled', cover }, target).render()
  },
  async nodepub() {
    const { default: nodepub } = await import(require.resolve('nodepub'))
    const [preface, ...others] = chapters
    const about = { title: 'Ruth', author: 'Samuel', fileAs: 'Samuel', language: 'en', id: 'ruth-1', cover }
    const book = nodepub.document({ ...about, published: '2020-01-01', images: [] })
    book.addSection('Copyright', '<h1>Copyright</h1><p>In the public domain.</p>', false, true)
    for (const { title, text } of [preface, ...others]) book.addSection(title, `<h1>${title}</h1>${text}`)
    await book.writeEPUB(join(target, '..'), target.replace(/.*\//, '').replace('.epub', ''))
  },
}

const bytes = await makers[program]?.()
if (bytes) writeFileSync(target, bytes)
