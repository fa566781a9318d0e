// `npm run edition`: makes from the Markdown in content/edition the book's files, and content/preface.ts for the site.
import { readFile, writeFile } from 'node:fs/promises'
import { format } from 'oxfmt'
import type { Chapter } from '../content/text.ts'
import { readChapters } from './chapters.ts'

const root = new URL('../', import.meta.url)

export async function makePreface([introduction, first]: Chapter[]): Promise<string> {
  const source = `// Made by \`npm run edition\` from the Markdown in content/edition: change the words there, not here.
import type { Chapter } from './text.ts'

export const preface: Chapter = ${JSON.stringify(introduction)}

export const firstChapter: Chapter = ${JSON.stringify(first)}
`
  const style = JSON.parse(await readFile(new URL('.oxfmtrc.json', root), 'utf8'))
  return (await format('preface.ts', source, style)).code
}

if (import.meta.main) {
  const chapters = readChapters()
  await writeFile(new URL('content/preface.ts', root), await makePreface(chapters))
}
