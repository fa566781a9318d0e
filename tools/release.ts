// `npm run release`: what is given out of this commit, in the folder `release`: the package, install.sh, their checksums and
// the notes; last a filled shop of this version, which the tests of later ones restore. The package is built and packed
// twice, and refused unless both are the same bytes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import about from '../package.json' with { type: 'json' }
import { writeFilledShop } from './filled-shop.ts'
import { root, run } from './run.ts'

// The package keeps the modes of its files.
process.umask(0o022)

const name = `${about.name}-${about.version}.tgz`

try {
  await release()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function release(): Promise<void> {
  if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })) {
    throw new Error('Commit everything first: a release is made from a commit.')
  }
  const notes = readNotes()
  using folder = mkdtempDisposableSync(join(tmpdir(), 'lectern-release-'))
  const first = await pack(join(folder.path, 'first'))
  const second = await pack(join(folder.path, 'second'))
  if (hashOf(first) !== hashOf(second)) throw new Error('Two builds of the same sources differ.')
  const target = join(root, 'release')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  copyFileSync(first, join(target, name))
  copyFileSync(join(root, 'deploy/install.sh'), join(target, 'install.sh'))
  const lines = [name, 'install.sh'].map((file) => `${hashOf(join(target, file))}  ${file}`)
  writeFileSync(join(target, 'SHA256SUMS'), `${lines.join('\n')}\n`)
  writeFileSync(join(target, 'NOTES.md'), notes)
  const filledShop = `filled-shop-${about.version}.tar`
  writeFilledShop(join(target, filledShop))
  console.log([...lines, `In ${target}, with the notes in NOTES.md.`].join('\n'))
  console.log(
    `Commit ${filledShop} as test/filled-shops/${about.version}.tar: later versions have to restore it.`,
  )
}

/** The part of CHANGELOG.md that is about this version. */
function readNotes(): string {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const parts = changelog.split(/^(?=## )/m)
  const notes = parts.find((part) => part.startsWith(`## ${about.version} `))
  if (!notes) throw new Error(`CHANGELOG.md says nothing of ${about.version}.`)
  return notes
}

/** From the sources alone: what an earlier build made is removed. */
async function pack(folder: string): Promise<string> {
  for (const made of ['dist', 'src/web/generated']) rmSync(join(root, made), { recursive: true, force: true })
  const unpacked = join(folder, 'package')
  mkdirSync(unpacked, { recursive: true })
  await npm('pack', '--silent', '--pack-destination', folder)
  execFileSync('tar', ['-xzf', join(folder, name), '-C', folder])
  requireLinks(unpacked)
  const manifest = join(unpacked, 'package.json')
  writeFileSync(manifest, publishable(readFileSync(manifest, 'utf8')))
  await npm('pack', unpacked, '--silent', '--ignore-scripts', '--pack-destination', folder)
  return join(folder, name)
}

/** The checkout is never published; its package may be. What only a checkout needs is left out. */
function publishable(manifest: string): string {
  const {
    private: _private,
    scripts,
    devDependencies,
    workspaces,
    ...rest
  } = JSON.parse(manifest) as Record<string, unknown>
  if (!scripts || !devDependencies || !workspaces) throw new Error('package.json is not as expected.')
  return `${JSON.stringify(rest, undefined, 2)}\n`
}

async function npm(...args: string[]): Promise<void> {
  if ((await run('npm', args)) !== 0) throw new Error(`npm ${args.join(' ')} failed.`)
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** What the documents of the package lead to is in it. */
function requireLinks(folder: string): void {
  const missing: string[] = []
  for (const file of globSync('**/*.md', { cwd: folder, exclude: ['dist', 'docs/decisions'] })) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#|\/)([^)#]+)[^)]*\)/g))
      if (!existsSync(join(folder, dirname(file), link))) missing.push(`${file} leads to ${link}`)
  }
  if (missing.length > 0) throw new Error(`Not in the package: ${missing.join(', ')}.`)
}
