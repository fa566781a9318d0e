// The server as few files instead of nine hundred, which take four times as long to load: `build/shop`. With
// `build/package.json` and what is copied beside it, `build` runs without the sources.
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './run.ts'

const threads = {
  'hashing-thread': 'features/accounts/hashing-thread.ts',
  'upload-thread': 'features/ebooks/upload-thread.ts',
}

/** Where the built code finds what the sources find through the `imports` of the project's package.json. */
const imports = {
  '#build/*': './*',
  '#content/*': './content/*',
  '#platform/db/migrations/*': './migrations/*',
  ...Object.fromEntries(Object.entries(threads).map(([name, path]) => [`#${path}`, `./shop/${name}.js`])),
}

export async function bundleServer(): Promise<void> {
  const inputs = Object.entries(threads).map(([name, path]) => [name, join(root, 'src', path)])
  await build({
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    root,
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { noExternal: true, external: ['postal-mime', 'react-router', 'vite'] },
    build: {
      ssr: true,
      outDir: join(root, 'build/shop'),
      target: 'node24',
      // Readable stacks.
      minify: false,
      rolldownOptions: {
        input: { main: join(root, 'src/main.ts'), ...Object.fromEntries(inputs) },
        external: [/^@node-rs\//, 'pg-native', 'pg-cloudflare'],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  await cp(join(root, 'src/platform/db/migrations'), join(root, 'build/migrations'), { recursive: true })
  await cp(join(root, 'content'), join(root, 'build/content'), { recursive: true })
  await writeFile(join(root, 'build/package.json'), JSON.stringify({ type: 'module', imports }, null, 2))
}
