// `npm run release`: the package of this commit. It is built and packed twice, and refused unless both are the same bytes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempDisposableSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import about from '../package.json' with { type: 'json' }
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
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${about.version} `)) {
    throw new Error(`CHANGELOG.md says nothing of ${about.version}.`)
  }
  using folder = mkdtempDisposableSync(join(tmpdir(), 'lectern-release-'))
  const first = await pack(folder.path)
  const second = await pack(folder.path)
  if (first !== second) throw new Error(`Two builds of the same sources differ: ${first} and ${second}.`)
  copyFileSync(join(folder.path, name), join(root, name))
  console.log(`${first}  ${name}`)
}

/** From the sources alone: what an earlier build made is removed. Returns the SHA-256 in hexadecimal. */
async function pack(folder: string): Promise<string> {
  for (const made of ['dist', 'src/web/generated']) rmSync(join(root, made), { recursive: true, force: true })
  const code = await run('npm', ['pack', '--silent', '--pack-destination', folder])
  if (code !== 0) throw new Error('npm pack failed.')
  return createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')
}
