// How the islands of the site are bundled, before its pages (vite.config.ts).
import { defineConfig } from 'vite'
import { makeAssets } from './tools/assets.ts'
import { describeIslands, islandsBuild } from './tools/islands.ts'
import { installedPackagesOnly } from './tools/installed-packages.ts'

export default defineConfig({
  plugins: [{ name: 'assets', config: makeAssets }, installedPackagesOnly, describeIslands],
  publicDir: false,
  envDir: false,
  build: islandsBuild!,
})
