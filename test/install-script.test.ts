// How install.sh reads the name of the site. The rest of it needs a server of its own (test/torture/scenarios/install.ts).
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = readFileSync(join(import.meta.dirname, '../deploy/install.sh'), 'utf8')
const lines = script.split('\n')
const first = lines.findIndex((line) => line.startsWith('name=$('))
const last = lines.findIndex((line) => line.startsWith('url='))
const reading = ['fail() { printf "%s" "$*"; exit 1; }', 'name=$1', ...lines.slice(first, last + 1)]

function addressOf(name: string): string {
  const run = [...reading, 'printf "%s" "$url"'].join('\n')
  return spawnSync('sh', ['-c', run, 'sh', name], { encoding: 'utf8' }).stdout
}

test('the name of the site is read however its address is typed', () => {
  for (const typed of ['books.example', 'Books.Example', 'HTTPS://Books.Example', 'Http://books.example//'])
    expect([typed, addressOf(typed)]).toEqual([typed, 'https://books.example'])
  for (const typed of ['localhost', 'ftp://books.example', 'books.example/shop', 'books.example:8443'])
    expect([typed, addressOf(typed)]).toEqual([typed, expect.stringContaining('is no name of a site')])
})
