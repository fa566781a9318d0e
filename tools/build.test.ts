// When a build is due: in a project of its own, whose bundler only counts how often it was asked.
import { appendFile, cp, mkdir, mkdtempDisposable, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type * as Build from './build.ts'

const installed = 'tools/migrations/node_modules'
const folders = ['content', 'docs/manual', 'packages', 'src/web', 'tools', installed, 'dist', 'elsewhere']
const files = [
  'package-lock.json',
  'react-router.config.ts',
  'tsconfig.json',
  'vite.config.ts',
  'vite.islands.config.ts',
]
const bundler = 'node_modules/@react-router/dev/bin.cjs'
/** Of the islands, before the pages. */
const vite = 'node_modules/vite/bin/vite.js'

async function openProject() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-build-'))
  const at = (path: string) => join(folder.path, path)
  await Promise.all(
    [...folders, dirname(bundler), dirname(vite)].map((folder) => mkdir(at(folder), { recursive: true })),
  )
  await Promise.all(files.map((file) => writeFile(at(file), '')))
  await writeFile(at('package.json'), '{ "type": "module" }')
  await writeFile(at('elsewhere/page.tsx'), '')
  await writeFile(at('content/sample.epub'), '')
  await symlink('../../elsewhere', at('src/web/linked'))
  await symlink('nowhere', at('src/web/.#lock.ts'))
  await writeFile(at(vite), '')
  await writeFile(at(bundler), "require('node:fs').appendFileSync('builds', '.')")
  await cp(join(import.meta.dirname, 'build.ts'), at('tools/build.ts'))
  const build = (await import(at('tools/build.ts'))) as typeof Build

  /** How many builds a start makes, and that the next one makes none. */
  async function start(): Promise<number> {
    const count = async () => (await readFile(at('builds'), 'utf8').catch(() => '')).length
    const before = await count()
    build.ensureBuilt()
    const made = (await count()) - before
    build.ensureBuilt()
    expect((await count()) - before).toBe(made)
    return made
  }
  const change = (path: string) => appendFile(at(path), ' ')
  return { start, change, [Symbol.asyncDispose]: () => folder.remove() }
}

test('a build is due after a change of whatever it is made from, also behind a link, and not before', async () => {
  await using project = await openProject()
  expect(await project.start()).toBe(1)
  expect(await project.start()).toBe(0)
  const sources = ['package.json', 'elsewhere/page.tsx', 'content/sample.epub', 'tools/build.ts']
  for (const file of [...files, ...sources]) {
    await project.change(file)
    expect([file, await project.start()]).toEqual([file, 1])
  }
  await project.change('tools/build.test.ts')
  await project.change(`${installed}/a.js`)
  expect(await project.start()).toBe(0)
})
