// What install.sh writes into Caddy's settings is what `lectern uninstall` takes out.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutShop } from './caddyfile.ts'

const script = readFileSync(join(import.meta.dirname, '../../deploy/install.sh'), 'utf8')
const [, importLine = ''] = /^import='(.*)'$/m.exec(script) ?? []

/** As the shell's printf writes it. */
function written(into: string): string {
  const [, format = ''] =
    new RegExp(String.raw`^ *printf '(.*)' "\$import" ${into} "\$caddyfile"$`, 'm').exec(script) ?? []
  return format.replaceAll(String.raw`\n`, '\n').replace('%s', importLine)
}

test('of a Caddyfile that only has the shop nothing is left, and one with other sites is as it was', () => {
  const only = written('>')
  expect(only).toBe('# The shop’s site is in lectern.Caddyfile.\nimport lectern.Caddyfile\n')
  expect(withoutShop(only)).toBe('')

  const other = 'other.example {\n\trespond "here"\n}\n'
  const added = written('>>')
  expect(added).toBe('\nimport lectern.Caddyfile\n')
  expect(withoutShop(other + added)).toBe(other)
  expect(withoutShop(`${only}\n${other}`)).toBe(`\n${other}`)
  expect(withoutShop(`${other}${added}\nlast.example\n`)).toBe(`${other}\nlast.example\n`)
  expect(withoutShop(other)).toBe(other)
})
