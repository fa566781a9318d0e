// The one order of the sources: each layer imports those before it. What stands above all of them (the pages, the web, the
// commands, app.ts and its neighbors) is no layer.
const ground = ['words', 'contract', 'tables', 'config', 'platform'] as const

export const domains = [
  'mail',
  'accounts',
  'files',
  'catalog',
  'book',
  'orders',
  'delivery',
  'payments',
  'readers',
  'settings',
  'backup',
  'privacy',
  'overview',
  'reports',
  'setup',
] as const

export type Layer = (typeof ground)[number] | (typeof domains)[number]

export const layers: readonly Layer[] = [...ground, ...domains]

/** Of a path from the project's root. */
export function layerOf(path: string): Layer | undefined {
  const [, name] =
    /^src\/(?:domains\/)?(\w+)\//.exec(path) ?? /^src\/(?:variables|(config))\.ts$/.exec(path) ?? []
  const layer = name ?? (path === 'src/variables.ts' ? 'config' : undefined)
  return layers.find((each) => each === layer)
}
