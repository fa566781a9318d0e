// The types of the module that tools/islands.ts makes: the loader, and the files and texts of each island.
declare module 'virtual:islands' {
  /** The script of loader.ts; empty while the shop is developed. */
  export const loader: string
  /** By name: the addresses of its files, its own first, divided by spaces; the names of the texts that it reads. */
  export const islands: Readonly<Record<string, { files: string; texts: readonly string[] }>>
}
