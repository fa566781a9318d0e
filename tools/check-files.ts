// The shape of a source file: its first line says what it holds, no second header stands below, and it opens a client of
// the API once.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.ts'

/** Each proof has a client of its own, since its dialog names what it is asked for. */
const client = /\b(?:adminClient|hc)<\w+>\([^)]*\)/g

export function findShapeFaults(source: string): string[] {
  const lines = source.replace(/^#!.*\n/, '').split('\n')
  const faults: string[] = []
  if (!/^\/[/*](?! oxlint)/.test(lines[0] ?? '')) faults.push('does not say in its first line what it holds')
  if (hasSecondHeader(lines)) faults.push('has a second header, so a second subject')
  const clients = source.match(client) ?? []
  if (new Set(clients).size < clients.length) faults.push('opens a client of the API twice')
  return faults
}

/** Whether a comment between two empty lines stands below the first one: it belongs to no declaration. */
function hasSecondHeader(lines: readonly string[]): boolean {
  return lines.some((line, index) => {
    if (index === 0 || lines[index - 1] !== '' || !line.startsWith('// ')) return false
    return lines.slice(index).find((each) => !each.startsWith('//')) === ''
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*', '**/generated/**'] })
  for (const path of files)
    for (const fault of findShapeFaults(readFileSync(join(root, path), 'utf8'))) {
      console.error(`${path} ${fault}`)
      process.exitCode = 1
    }
}
