// The build of a small shop: the real settings of the bundler, and programs of a line or two.
import { cp, mkdtempDisposable, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeAssets } from './assets.ts'
import { root } from './run.ts'
import { startProcess } from '#test/start-process.ts'

const copied = [
  'content',
  'docs/manual',
  'package-lock.json',
  'package.json',
  'packages',
  'react-router.config.ts',
  'src',
  'tools',
  'tsconfig.json',
  'vite.config.ts',
  'vite.islands.config.ts',
]

async function openProject() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-bundle-'))
  const at = (path: string) => join(folder.path, path)
  await makeAssets()
  for (const path of copied)
    await cp(join(root, path), at(path), { recursive: true, preserveTimestamps: true })
  await symlink(join(root, 'node_modules'), at('node_modules'))
  const settings = await readFile(at('vite.config.ts'), 'utf8')
  const programs = [...settings.matchAll(/'(src\/[^']+\.ts)',$/gm)].flatMap(([, path]) => path ?? [])
  for (const path of programs) await writeFile(at(path), '')
  await writeFile(at('src/web/app/routes.ts'), 'export default []')
  await writeFile(at('vite.config.ts'), settings.replace('external: [', `external: ['pg', 'postal-mime', `))
  return {
    programs,
    write: (path: string, source: string) => writeFile(at(path), source),
    build: () => startProcess(process.execPath, ['tools/build.ts'], { cwd: folder.path }).ended,
    [Symbol.asyncDispose]: () => folder.remove(),
  }
}

test('a build fails when a bundle imports what is not installed with the package', async () => {
  await using project = await openProject()
  expect(project.programs).toContain('src/lectern.ts')
  await project.write(
    'src/lectern.ts',
    `import sharp from 'sharp'\nconsole.log(sharp, await import('node:fs'))`,
  )
  const good = await project.build()
  expect(good).toMatchObject({ code: 0 })

  await project.write('src/main.ts', `console.log(await import('postal-mime'))`)
  await project.write('src/domains/files/picture-process.ts', `import pg from 'pg'\nconsole.log(pg)`)
  const { code, stderr } = await project.build()
  expect(code).toBe(1)
  expect(stderr).toContain('main.js imports postal-mime')
  expect(stderr).toContain('picture-process.js imports pg')
  expect(stderr).not.toContain('sharp')
})
