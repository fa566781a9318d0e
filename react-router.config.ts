import type { Config } from '@react-router/dev/config'
import { completeBuild } from './tools/complete-build.ts'

export default {
  appDirectory: 'src/web/app',
  buildDirectory: 'dist',
  // The server has several entries (vite.config.ts); each keeps its name.
  serverBuildFile: '[name].js',
  ssr: true,
  // Loading and sending are a few lines on each page: not worth a request of their own.
  splitRouteModules: false,
  routeDiscovery: { mode: 'initial' },
  future: { unstable_optimizeDeps: true },
  buildEnd: completeBuild,
} satisfies Config
