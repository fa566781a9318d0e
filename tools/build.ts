// `npm run build`: bundles the site and the server, puts a compressed copy beside each file that gains by it, and notes
// its sources.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lookAtSources, stampBuild, stampFile } from '#pages/build.ts'
import { compress } from '#platform/http/content.ts'
import { bundleServer } from './bundle-server.ts'
import { root, run } from './run.ts'

const compressible = /\.(js|css|svg|ico)$/

const sources = lookAtSources()
await rm(stampFile, { force: true })
const code = await run('react-router', ['build', '--logLevel', 'warn'], { NODE_ENV: 'production' })
if (code !== 0) process.exit(code)
await bundleServer()
await compressAll(join(root, 'build/client'))
stampBuild(sources)

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
