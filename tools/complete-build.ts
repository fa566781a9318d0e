// The last step of a build: a compressed copy beside each file for browsers that gains by it, and beside the bundled
// server what it finds at run time through the `imports` of the nearest package.json (`platform/own-file.ts`).
import { existsSync } from 'node:fs'
import { appendFile, cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compress } from '#platform/http/content.ts'
import { fontLicenses } from './fonts.ts'
import { islandsDist } from './islands.ts'
import { root } from './run.ts'

const compressible = /\.(js|css|svg|ico)$/

const imports = {
  '#build/*': './*',
  '#content/*': './content/*',
  '#manual/*': './manual/*',
  '#platform/db/migrations/*': './migrations/*',
  '#web/generated/fonts/*': './fonts/*',
  '#domains/accounts/hashing-thread.ts': './server/hashing-thread.js',
  '#domains/backup/backup-thread.ts': './server/backup-thread.js',
  '#domains/files/upload-worker.ts': './server/upload-worker.js',
  '#pages/book-thread.ts': './server/book-thread.js',
  '#domains/files/picture-process.ts': './server/picture-process.js',
}

export async function completeBuild(): Promise<void> {
  const dist = join(root, 'dist')
  await cp(join(islandsDist, 'assets'), join(dist, 'client/assets'), { recursive: true })
  await compressAll(join(dist, 'client'))
  await appendFile(join(dist, 'client/licenses.txt'), await fontLicenses())
  await cp(join(root, 'src/platform/db/migrations'), join(dist, 'migrations'), { recursive: true })
  await cp(join(root, 'src/web/generated/fonts'), join(dist, 'fonts'), {
    recursive: true,
    filter: (path) => !path.endsWith('.woff2'),
  })
  await cp(join(root, 'content'), join(dist, 'content'), { recursive: true })
  await cp(join(root, 'docs/manual'), join(dist, 'manual'), { recursive: true })
  for (const program of Object.values(imports).filter((path) => path.endsWith('.js')))
    if (!existsSync(join(dist, program))) throw new Error(`The build lacks ${program}: see vite.config.ts.`)
  await writeFile(join(dist, 'package.json'), JSON.stringify({ type: 'module', imports }, null, 2))
}

async function compressAll(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  const files = names.filter((name) => compressible.test(name)).map((name) => join(folder, name))
  await Promise.all(
    files.map(async (file) => {
      const { br, gzip } = await compress(await readFile(file), 'best')
      await writeFile(`${file}.br`, br)
      await writeFile(`${file}.gz`, gzip)
    }),
  )
}
