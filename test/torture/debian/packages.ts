// The package of this checkout, and later ones made of it: with a migration, or with a fault.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import about from '../../../package.json' with { type: 'json' }
import { addMigration } from '../../next-migrations.ts'

const checkout = join(import.meta.dirname, '../../..')

/** Of the build at hand, into `folder`. */
export function packCheckout(folder: string): string {
  const flags = ['--silent', '--ignore-scripts', '--pack-destination', folder]
  execFileSync('npm', ['pack', ...flags], { cwd: checkout, stdio: 'ignore' })
  return `lectern-${about.version}.tgz`
}

const faults = {
  none: '',
  'it does not start': `throw new Error('this build does not start')`,
  // The copy of the shop has another address.
  'it does not start on the real data': `
    if (process.env.SITE_URL !== 'https://copy.invalid') throw new Error('this build does not start here')`,
  'its page fails on the real data': `
    import http from 'node:http'
    const { emit } = http.Server.prototype
    if (process.env.SITE_URL !== 'https://copy.invalid') http.Server.prototype.emit = function (name, request, response) {
      if (name !== 'request' || request.url !== '/') return emit.apply(this, arguments)
      return response.writeHead(500).end('broken')
    }`,
} as const

type Later = { version: string; fault?: keyof typeof faults; statements?: string[] }

/** A migration is a step behind those of the version that it is made of. */
export async function makeLater(
  folder: string,
  file: string,
  { version, fault = 'none', statements = [] }: Later,
): Promise<string> {
  await using unpacked = await mkdtempDisposable(join(tmpdir(), 'lectern-later-'))
  execFileSync('tar', ['-xzf', join(folder, file), '-C', unpacked.path])
  const root = join(unpacked.path, 'package')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, version }, undefined, 2))
  if (statements.length > 0)
    await addMigration(join(root, 'dist/migrations'), `next_${version.replaceAll('.', '_')}`, statements)
  const main = join(root, 'dist/server/main.js')
  writeFileSync(main, `${faults[fault]}\n${await readFile(main, 'utf8')}`)
  const later = `lectern-${version}.tgz`
  execFileSync('tar', ['-czf', join(folder, later), '-C', unpacked.path, 'package'])
  return later
}
