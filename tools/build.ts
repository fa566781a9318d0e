// `npm run build`: draws the assets, bundles the site, compresses what browsers fetch, and notes what it was made of.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { makeAssets } from './assets.ts'

await makeAssets()
const reactRouter = fileURLToPath(new URL('../node_modules/@react-router/dev/bin.cjs', import.meta.url))
const { status } = spawnSync(process.execPath, [reactRouter, 'build'], { stdio: 'inherit' })
if (status !== 0) process.exit(1)
