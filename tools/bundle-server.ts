// The server as few files instead of nine hundred: loading them one by one takes four times as long.
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'vite'
import { root } from './run.ts'

const outDir = join(root, 'build/shop')

/** What is found beside a source stays there: migrations, the sample book, the thread that hashes, the built site. */
const places: Plugin = {
  name: 'places',
  transform: {
    filter: { id: /\/(src|packages)\/.*\.ts$/, code: /import\.meta/ },
    handler(code, id) {
      const url = `new URL(${JSON.stringify(relative(outDir, id))}, import.meta.url)`
      const folder = `new URL(${JSON.stringify(`${relative(outDir, dirname(id))}/`)}, import.meta.url)`
      return code
        .replaceAll('import.meta.url', `${url}.href`)
        .replaceAll('import.meta.dirname', `decodeURIComponent(${folder}.pathname)`)
    },
  },
}

/** Readable, so that the stack of a failure is. Native code, and what only development asks for, stays outside. */
export async function bundleServer(): Promise<void> {
  await build({
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    root,
    plugins: [places],
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { noExternal: true, external: ['postal-mime', 'react-router', 'vite'] },
    build: {
      ssr: 'src/main.ts',
      outDir,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        external: [/^@node-rs\//, 'pg-native', 'pg-cloudflare'],
        output: { chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}
