// A backslash in SQL: a template literal drops it before an ordinary character, so that \d reaches PostgreSQL as d.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { root } from './run.ts'

/** Escapes that mean a character: a backslash itself, what ends a template, a line break, a tab, NUL. */
const kept = /\\(?:[\\`$ntu0]|\r?\n)/g

/** The lines of the source in which a tagged template of SQL has a backslash that is lost. */
export function findLostBackslashes(name: string, source: string): number[] {
  const lines: number[] = []
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (!/^sql\b/.test(source.slice(tag.start, tag.end))) return
      for (const { value, start } of quasi.quasis) {
        const at = value.raw.replaceAll(kept, (escape) => ' '.repeat(escape.length)).indexOf('\\')
        if (at >= 0) lines.push(source.slice(0, start + at + 1).split('\n').length)
      }
    },
  }).visit(parseSync(name, source).program)
  return lines
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = globSync('{src,test,e2e,bench,packages,tools}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  }).flatMap((name) =>
    findLostBackslashes(name, readFileSync(join(root, name), 'utf8')).map((line) => `${name}:${line}`),
  )
  for (const place of found) console.error(`${place} has a backslash in SQL that is lost`)
  if (found.length > 0) process.exitCode = 1
}
