// How the site is bundled: for browsers, and for the server that renders its pages.
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { makeAssets } from './tools/assets.ts'
import { installedPackagesOnly } from './tools/installed-packages.ts'
import { islandsPlugin } from './tools/islands.ts'

/** What every page needs: one file that stays in the browser's cache when the shop's own code changes. */
const frameworks =
  /node_modules\/(react|react-dom|scheduler|react-router|cookie-es|@remix-run\/route-pattern)\//

/** Drawn before anything asks for them, in every process that bundles. */
const assets: Plugin = { name: 'assets', config: makeAssets }

/** What every page of the app shares, in one file instead of fifteen: each costs a request and its headers. */
const shared = new RegExp(
  [
    String.raw`src/web/(app/navigation|shop)\.tsx?$`,
    String.raw`src/web/(format/(fill-parts|money|prose)|forms/(form|unsaved-changes)|notices/(send|stored-notice|toasts))\.tsx?$`,
    String.raw`src/web/page/(page-meta|page-state|page-texts|site-frame)\.tsx?$`,
    String.raw`src/web/product/(cover|offers)\.tsx?$`,
    String.raw`src/web/session/(session|session-key|sign-out-button)\.tsx?$`,
    String.raw`src/contract/(catalog/formats|orders/prices)\.ts$`,
    String.raw`src/contract/(app-paths|chosen-product|comparable-text|durations|field-rules|paths)\.ts$`,
    String.raw`src/words/(buying|site|texts)\.ts$`,
    String.raw`src/web/components/(button|field|icons|note|section)\.tsx$`,
  ].join('|'),
)

/** What calls the API. */
const calls = /src\/web\/(api|browser-download|forms\/address-form)\.ts$|node_modules\/hono\//

/** What the pages around an account share with the admin area. */
const account = new RegExp(
  [
    String.raw`src/web/(app/(card|leave-question|private-page)|format/format|notices/mail-notice|purchase/status-badge)\.tsx?$`,
    String.raw`src/web/session/(accounts|credentials|device-id)\.tsx?$`,
    String.raw`src/words/account\.ts$`,
    String.raw`src/contract/(accounts/device-header|orders/(order-number|postal|purchase-status))\.ts$`,
    String.raw`src/web/components/(copy-button|dialog|further-fields|further-icons)\.tsx$`,
  ].join('|'),
)

/** What the account page shares with the admin area: forms that are checked. */
const forms =
  /node_modules\/@conform-to\/|src\/web\/app\/(field-types|parse-form|schema-fields|schema-form)\.tsx?$/

/** What all screens of the admin area share. What two of them share is left to the bundler. */
const admin =
  /src\/web\/app\/(table|admin\/(admin|admin-nav|admin-views|calls|cells|frame|icons|links|list-screen|section-nav))\.tsx?$|src\/contract\/overview\/manual\.ts$/

/** The checks of forms. */
const schemas = /node_modules\/zod\/|src\/contract\/fields\.ts$/

/** The licences of what is bundled, in `dist/client` and `dist/server`: most ask to be passed on with the code. */
const licenses = 'licenses.txt'

/** `dist/server`: its programs, its threads and the pages, each with an entry file, on chunks that they share. */
const server: EnvironmentOptions = {
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  resolve: {
    noExternal: true,
    // Native modules.
    external: ['@node-rs/argon2', 'sharp'],
    conditions: ['module-sync', 'node', 'production'],
  },
  build: {
    target: 'node24',
    license: { fileName: licenses },
    rolldownOptions: {
      input: {
        lectern: 'src/lectern.ts',
        main: 'src/main.ts',
        'hashing-thread': 'src/domains/accounts/hashing-thread.ts',
        'backup-thread': 'src/domains/backup/backup-thread.ts',
        'book-thread': 'src/pages/book-thread.ts',
        'upload-worker': 'src/domains/files/upload-worker.ts',
        'picture-process': 'src/domains/files/picture-process.ts',
        pages: 'virtual:react-router/server-build',
        site: 'src/web/site/render.tsx',
      },
      external: ['pg-native', 'pg-cloudflare'],
      output: { chunkFileNames: '[name]-[hash].js' },
    },
  },
}

export default defineConfig(({ command }) => ({
  plugins: [assets, islandsPlugin, installedPackagesOnly, tailwindcss({ optimize: false }), reactRouter()],
  publicDir: 'src/web/generated/public',
  // The settings of a shop are no matter of its build.
  envDir: false,
  // The tokens' light-dark() must reach the browser as it is: rewritten for older ones, it no longer nests.
  build: { assetsInlineLimit: 0, cssTarget: ['chrome123', 'firefox120', 'safari17.5'] },
  environments: {
    ssr: command === 'build' ? server : {},
    client: {
      build: {
        license: { fileName: licenses },
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: frameworks },
                { name: 'shop', test: shared },
                { name: 'calls', test: calls },
                { name: 'account', test: account },
                { name: 'schemas', test: schemas },
                { name: 'forms', test: forms },
                { name: 'proof', test: /src\/web\/app\/proof-dialog\.tsx$/ },
                {
                  name: 'purchases',
                  test: /src\/contract\/orders\/(declarations|purchases)\.ts$/,
                },
                // The admin area shows texts of all pages; a page has its own ones without the admin area.
                { name: 'words', test: /src\/words\//, minShareCount: 2, entriesAware: true },
                // The setup sends a file, too.
                { name: 'file-drop', test: /src\/web\/app\/(file-drop|send-file|use-upload)\.tsx?$/ },
                { name: 'admin', test: admin },
              ],
            },
          },
        },
      },
    },
  },
}))
