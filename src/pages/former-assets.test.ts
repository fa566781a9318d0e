// Assets of builds from before, for a week after each was replaced.
import { mkdtempDisposable, mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { keepAssets } from './former-assets.ts'

test('the assets of a build are there for a week after another one replaced it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-assets-'))
  const data = join(folder.path, 'data')
  const build = async (name: string) => {
    const path = join(folder.path, name)
    await mkdir(path, { recursive: true })
    for (const file of [`auth-${name}.js`, `auth-${name}.js.br`]) await writeFile(join(path, file), name)
    return path
  }
  const [first, second, third] = [await build('one'), await build('two'), await build('three')]
  const now = Date.now()
  const start = async (path: string, days: number) =>
    [...(await keepAssets(path, data, new Date(now + days * dayMs))).keys()].filter((name) =>
      name.endsWith('.js'),
    )
  expect(await start(first, 0)).toEqual([])
  expect(await Promise.all([start(second, 100), start(second, 100)])).toEqual([
    ['auth-one.js'],
    ['auth-one.js'],
  ])
  expect(await start(second, 106)).toEqual(['auth-one.js'])
  expect((await start(third, 106)).toSorted()).toEqual(['auth-one.js', 'auth-two.js'])
  expect(await start(third, 108)).toEqual(['auth-two.js'])
  expect((await readdir(join(data, 'assets'))).filter((name) => name.includes('.new'))).toEqual([])
})
